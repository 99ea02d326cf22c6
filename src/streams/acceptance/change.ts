import type { ChainError } from '../../errors/chain-error.js'
import type { TransactionIds } from '../../model/transaction-ids.js'

/** A change of what the virtual chain accepts. */
export type AcceptanceChange = TransactionChange | AcceptanceRollback

/**
 * A transaction was accepted by the virtual chain, or reverted because its accepting block left the chain. Reverted
 * ones are those that this process saw accepted.
 */
export interface TransactionChange {
  readonly type: 'accepted' | 'reverted'
  readonly transactionId: string
  /** The chain block that accepts, or accepted, it. */
  readonly acceptingBlockHash: string
}

/**
 * Everything accepted above a chain block is undone, also what an earlier process saw accepted. Emitted before the
 * reverted transactions.
 */
export interface AcceptanceRollback {
  readonly type: 'rollback'
  /** The last block that stays on the chain. */
  readonly hash: string
  readonly blueScore: bigint
}

/** The sender addresses of an accepted transaction. */
export interface SendersResolved extends AcceptedTransactionInfo {
  readonly type: 'resolved'
}

export interface AcceptedTransactionsOptions {
  /**
   * Start after the batch that carried this cursor, or after the chain block with this hash: what was accepted since is
   * backfilled first, after a rollback of what has left the chain. If the node has no such history, `gaps$` reports a
   * gap.
   * @default the current chain
   */
  readonly from?: string | undefined
  /** Emit the sender addresses of each transaction once resolved: `{ type: 'resolved' }`. @default false */
  readonly includeSenderAddresses?: boolean | undefined
}

/** A part of a stream that could not be read. */
export interface Gap {
  readonly stream: 'accepted-transactions' | 'blocks'
  /** The last block before the gap, a chain block for accepted transactions; null if there is none. */
  readonly from: string | null
  /** The first block after the gap; null if there is none yet. */
  readonly to: string | null
  readonly cause: ChainError
  /** Unix milliseconds. */
  readonly timestamp: number
}

export interface AcceptedTransactionInfo {
  readonly transactionId: string
  readonly acceptingBlockHash: string
  /** Empty while unresolved. */
  readonly senderAddresses: string[]
}

export interface AcceptedHistoryOptions {
  /** Accepted transactions kept at most. @default 100 */
  readonly maxHistory?: number | undefined
  /** Resolve the sender addresses of each, in the background. @default false */
  readonly includeSenderAddresses?: boolean | undefined
}

/** A chain block and the transactions it accepted. */
export interface AcceptingBlock {
  readonly hash: string
  readonly accepted: TransactionIds
}

/** What one batch changes. */
export interface AcceptanceBatch {
  /** Null if nothing is undone. */
  readonly rollback: AcceptanceRollback | null
  /** The remembered blocks that the rollback removes, newest first. */
  readonly removed: readonly AcceptingBlock[]
  /** In the order of the chain. */
  readonly added: readonly AcceptingBlock[]
}
