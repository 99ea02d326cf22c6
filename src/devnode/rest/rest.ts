import type { HttpHandler } from '../http.js'
import type { LiveLedger } from '../live-ledger.js'
import { addressTransactionRoutes } from './endpoints/address-transactions.js'
import { addressRoutes } from './endpoints/addresses.js'
import { blockRoutes } from './endpoints/blocks.js'
import { countRoutes } from './endpoints/counts.js'
import { hashrateRoutes } from './endpoints/hashrate.js'
import { healthRoutes, serviceRoutes } from './endpoints/health.js'
import { infoRoutes } from './endpoints/info.js'
import { massRoute } from './endpoints/mass.js'
import { rankingRoutes } from './endpoints/rankings.js'
import { submissionRoute } from './endpoints/submission.js'
import { transactionRoutes } from './endpoints/transactions.js'
import { utxoRoutes } from './endpoints/utxos.js'
import { virtualChainRoutes } from './endpoints/virtual-chain.js'
import { applyMiddleware } from './http/middleware.js'
import { createRouter } from './http/router.js'
import { blockOf, createIndexer, type NodeInfo } from './indexer.js'
import { createChainIndex } from './chain-index.js'

/** In the server's order: the first matching route is used. */
const ROUTES = /*#__PURE__*/ (() => [
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
])()

/**
 * The indexer's REST API over a ledger: the public server's endpoints with its status codes, headers, limits and
 * quirks, all features enabled. A pure function of the request and the ledger's state, so that RPC and REST are
 * consistent.
 */
export function createRest(live: LiveLedger, nodeInfo: NodeInfo = DEFAULT_NODE_INFO): HttpHandler {
  const { ledger } = live
  const route = createRouter([...ROUTES, ...serviceRoutes(ROUTES)])
  const chainIndex = createChainIndex(ledger, (hash) => blockOf(ledger, hash, false, live.now()))
  return applyMiddleware((request) => route(request, createIndexer(ledger, chainIndex, nodeInfo, live.now())))
}

const DEFAULT_NODE_INFO: NodeInfo = { version: '2.1.0', p2pId: '' }
