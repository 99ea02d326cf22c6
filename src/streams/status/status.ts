import type { ChainError } from '../../errors/chain-error.js'

/**
 * - `unknown`: not seen yet. `mempool`: in the mempool of the node, or in a block that no chain block has merged.
 * - `accepted`: accepted by the virtual chain; a reorg may revert it to `mempool`.
 * - `conflicting`: an own payment, reverted by a reorg, whose UTXOs another transaction of the chain has spent. A
 *   further reorg may revert it to `mempool` or `accepted`.
 * - `double-spent`: final; that other transaction has the requested confirmations.
 * - `rejected`: a node refused an own payment. `replaced`: another transaction that spends the same UTXOs is in the
 *   mempool, or was made in its place; final once that one has the requested confirmations. `evicted`: it has left the
 *   mempool, and no block includes it. What a node replies proves none of them: each may become `mempool` or
 *   `accepted`.
 * - `timed-out`: final; it was not seen, or not confirmed, for the requested time.
 */
export type TransactionPhase =
  | 'unknown'
  | 'mempool'
  | 'accepted'
  | 'conflicting'
  | 'double-spent'
  | 'replaced'
  | 'evicted'
  | 'rejected'
  | 'timed-out'

/** The status of a transaction. */
export interface TransactionStatus {
  readonly transactionId: string
  /** Final where the stream completes with it. */
  readonly status: TransactionPhase
  /** The chain block that accepts it; null unless accepted. */
  readonly acceptingBlockHash: string | null
  /** Blue score from the accepting block to the sink; 0 unless accepted. */
  readonly confirmations: number
  /** Why it failed, or why a node refused it; otherwise null. */
  readonly error: ChainError | null
}

export interface TransactionStatusOptions {
  /** Confirmations at which the stream completes. @default 10 */
  readonly confirmations?: number | undefined
  /** Ms since the transaction was last seen, after which it is `timed-out`. @default 600000 */
  readonly timeout?: number | undefined
}
