import type { HttpHandler } from '../http.js'
import type { LiveLedger } from '../live-ledger.js'
import { addressTransactionRoutes } from './endpoints/address-transactions.js'
import { addressRoutes } from './endpoints/addresses.js'
import { blockRoutes } from './endpoints/blocks.js'
import { countRoutes } from './endpoints/counts.js'
import { hashrateRoutes } from './endpoints/hashrate.js'
import { healthRoutes } from './endpoints/health.js'
import { infoRoutes } from './endpoints/info.js'
import { massRoute } from './endpoints/mass.js'
import { rankingRoutes } from './endpoints/rankings.js'
import { serviceRoutes } from './endpoints/service.js'
import { submissionRoute } from './endpoints/submission.js'
import { transactionRoutes } from './endpoints/transactions.js'
import { utxoRoutes } from './endpoints/utxos.js'
import { virtualChainRoutes } from './endpoints/virtual-chain.js'
import { frame } from './http/frame.js'
import { createRouter } from './http/router.js'
import { blockOf, createIndexer, type About } from './indexer.js'
import { createMemory } from './memory.js'

/** In the server's own order: of two routes that fit a path the first counts. */
const ROUTES = [
  ...addressRoutes,
  ...rankingRoutes,
  ...countRoutes,
  ...utxoRoutes,
  ...addressTransactionRoutes,
  submissionRoute,
  massRoute,
  ...transactionRoutes,
  ...blockRoutes,
  ...virtualChainRoutes,
  ...hashrateRoutes,
  ...infoRoutes,
  ...healthRoutes,
]

/**
 * The indexer's REST side over a ledger: the public server's endpoints with its status codes, headers, limits and quirks,
 * every switch on, so that RPC and REST agree to the sompi. A pure function of the request and of the ledger's state.
 */
export function createRest(live: LiveLedger, about: About = UNKNOWN): HttpHandler {
  const { ledger } = live
  const route = createRouter([...ROUTES, ...serviceRoutes(ROUTES)])
  const memory = createMemory(ledger, (hash) => blockOf(ledger, hash, false, live.now()))
  return frame((request) => route(request, createIndexer(ledger, memory, about, live.now())))
}

const UNKNOWN: About = { version: '2.1.0', p2pId: '' }
