/** What an engine loads to follow transactions: one part. */
export { findAcceptingBlock$ } from './find-accepting-block.js'
export { createTransactionStatus } from './transaction-status.js'
