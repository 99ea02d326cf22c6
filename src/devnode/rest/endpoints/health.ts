import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../model/hex.js'
import { ok } from '../http/reply.js'
import { get, type Route } from '../http/route.js'
import type { Indexer } from '../indexer.js'

/** The health of the server's node and database: always synced. */
export const healthRoutes: readonly Route[] = [
  get('/info/health', {
    handle(_, indexer) {
      const blueScore = indexer.tip()
      const newest = indexer.chainIndex.chain().at(-1)?.timestamp
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
    handle: (_, indexer) =>
      ok({
        mempoolSize: String(indexer.ledger.expected.mempool().length),
        ...toNode(indexer),
        p2pIdHashed: p2pIdOf(indexer),
      }),
  }),

  get('/ping', {
    handle: (_, { nodeInfo }) =>
      ok({
        kaspad: {
          is_online: true,
          is_wrpc: false,
          server_version: nodeInfo.version,
          is_utxo_indexed: true,
          is_synced: true,
        },
        database: { is_online: true },
      }),
  }),
]

const toNode = ({ nodeInfo }: Indexer) => ({ serverVersion: nodeInfo.version, isUtxoIndexed: true, isSynced: true })

const p2pIdOf = ({ nodeInfo }: Indexer): string => toHex(sha256(new TextEncoder().encode(nodeInfo.p2pId)))
