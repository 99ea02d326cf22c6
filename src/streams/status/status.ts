import type { ChainError } from '../../errors/chain-error.js'

/**
 * - `unknown`: seen nowhere yet. `mempool`: waits in the node's mempool, or is in a block that no chain block has merged.
 * - `accepted`: the virtual chain took it in; a reorg may take it back to `mempool`.
 * - `replaced`, `evicted`, `rejected`, `timed-out`: the end, without acceptance.
 */
export type TransactionPhase = 'unknown' | 'mempool' | 'accepted' | 'replaced' | 'evicted' | 'rejected' | 'timed-out'

/** Where a transaction stands. */
export interface TransactionStatus {
  readonly transactionId: string
  /** `unknown`, `mempool`, `accepted`, or an end without acceptance. */
  readonly status: TransactionPhase
  /** The chain block that accepts it; null unless accepted. */
  readonly acceptingBlockHash: string | null
  /** Blue score from the accepting block to the sink; 0 unless accepted. */
  readonly confirmations: number
  /** Why it ended; null unless it ended badly. */
  readonly error: ChainError | null
}

export interface TransactionStatusOptions {
  /** Confirmations at which the stream completes. @default 10 */
  readonly confirmations?: number | undefined
  /** Ms since the transaction was last seen anywhere, after which it is given up. @default 600000 */
  readonly timeout?: number | undefined
}
