/**
 * Entry point for smaller bundles: an engine's core, and its features one by one: `feature(createCore(options),
 * utxos)`.
 */

export { createCore } from './core.js'
export type { ChainCore } from './chain-core.js'
export { publicFeature as feature } from './feature.js'

// Features
export { publicAcceptance as acceptance } from './features/acceptance.js'
export type { Acceptance } from './features/acceptance.js'
export { accounts } from './features/accounts.js'
export { blocks } from './features/blocks.js'
export { chain } from './features/chain.js'
export type { ChainFeature } from './features/chain.js'
export { connection } from './features/connection.js'
export { keys } from './features/keys.js'
export { network } from './features/network.js'
export type { NetworkControl } from './features/network.js'
export { rpc } from './features/rpc.js'
export { scores } from './features/scores.js'
export { transactionStatus } from './features/transaction-status.js'
export { transactions } from './features/transactions.js'
export { transferHistory } from './features/transfer-history.js'
export { transfers } from './features/transfers.js'
export { utxos } from './features/utxos.js'
export { wallet } from './features/wallet.js'
export { wasm } from './features/wasm.js'

// What features return
export type { AcceptedHistory } from '../streams/acceptance/accepted-history.js'
export type { Blocks } from '../streams/follow-blocks.js'
export type { History } from '../streams/history.js'
export type { Placement } from '../streams/placement.js'
export type { Scores } from '../streams/scores.js'
export type { AcceptedHistoryOptions } from '../streams/acceptance/acceptance.js'
