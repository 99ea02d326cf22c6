import { createHash } from 'node:crypto'
import { ok } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'

/** How the server's node and database are: always well, and in step with each other. */
export const healthRoutes: readonly Route[] = [
  get('/info/health', {
    answer(_, indexer) {
      const blueScore = indexer.tip()
      const newest = indexer.memory.chain().at(-1)?.timestamp
      const node = { kaspadHost: 'KASPAD_HOST_1', ...toNode(indexer), p2pId: p2pIdOf(indexer), blueScore }
      const database = {
        isSynced: true,
        blueScore,
        blueScoreDiff: 0,
        acceptedTxBlockTime: newest ?? null,
        acceptedTxBlockTimeDiff: newest === undefined ? null : Math.trunc((indexer.now - newest) / 1000),
      }
      return ok({ kaspadServers: [node], database })
    },
  }),

  get('/info/kaspad', {
    answer: (_, indexer) =>
      ok({
        mempoolSize: String(indexer.ledger.truth.mempool().length),
        ...toNode(indexer),
        p2pIdHashed: p2pIdOf(indexer),
      }),
  }),

  get('/ping', {
    answer: (_, { about }) =>
      ok({
        kaspad: {
          is_online: true,
          is_wrpc: false,
          server_version: about.version,
          is_utxo_indexed: true,
          is_synced: true,
        },
        database: { is_online: true },
      }),
  }),
]

const toNode = ({ about }: Indexer) => ({ serverVersion: about.version, isUtxoIndexed: true, isSynced: true })

const p2pIdOf = ({ about }: Indexer): string => createHash('sha256').update(about.p2pId).digest('hex')
