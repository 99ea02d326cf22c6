/**
 * Entry point for smaller bundles: an engine's core, and its features one by one: `feature(createCore(options),
 * utxos)`.
 */

export { createCore } from './core.js'
export { publicFeature as feature } from './core-parts.js'
export type { ChainCore } from './core-parts.js'

// Features
export { publicAcceptance as acceptance } from './features/acceptance.js'
export type { Acceptance } from './features/acceptance.js'
export { accounts, keys, wasm } from './features/keys.js'
export { blocks } from './features/blocks.js'
export { chain } from './features/chain.js'
export type { ChainFeature } from './features/chain.js'
export { connection, network, scores } from './features/node.js'
export type { NetworkControl } from './features/node.js'
export { rpc } from './features/node-calls.js'
export { transactionStatus } from './features/transaction-status.js'
export { transactions } from './features/transactions.js'
export { transferHistory } from './features/transfer-history.js'
export { transfers } from './features/transfers.js'
export { utxos } from './features/utxos.js'
export { wallet } from './features/wallet.js'

// What features return
export type { AcceptedHistory } from '../streams/acceptance/accepted-history.js'
export type { Blocks } from '../streams/follow-blocks.js'
export type { History } from '../streams/history.js'
export type { Placement } from '../streams/placement.js'
export type { Scores } from '../streams/scores.js'
export type { AcceptedHistoryOptions } from '../streams/acceptance/acceptance.js'
