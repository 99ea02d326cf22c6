import { sha256 } from '@noble/hashes/sha2.js'
import { toHex } from '../../../model/hex.js'
import { ok, text as plain } from '../http/reply.js'
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

/** The server's documentation pages: here, the list of routes. */
export function serviceRoutes(routes: readonly Route[]): readonly Route[] {
  const lines = routes.map(({ method, path }) => `${method} ${path}`)
  const page = `<!DOCTYPE html><html><head><title>Devnode REST</title></head><body><pre>${lines.join('\n')}</pre></body></html>`
  const html = () => ({ ...plain(page), headers: { 'content-type': 'text/html; charset=utf-8' } })
  return [
    get('/', { handle: () => ({ status: 307, headers: { location: '/docs' } }) }),
    get('/docs', { handle: html }),
    get('/redoc', { handle: html }),
    get('/openapi.json', { handle: () => ({ status: 200, body: toSchema(routes) }) }),
  ]
}

function toSchema(routes: readonly Route[]) {
  const info = {
    title: 'Devnode REST',
    description: 'The REST endpoints of a Kaspa indexer, over a simulated network',
    version: '0.0.32',
  }
  const paths = routes.map(({ method, path }) => [
    path,
    { [method.toLowerCase()]: { responses: { 200: { description: 'OK' } } } },
  ])
  return { openapi: '3.1.0', info, paths: Object.fromEntries(paths) as object }
}
