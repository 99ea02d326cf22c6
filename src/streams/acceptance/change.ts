import type { ChainError } from '../../errors/chain-error.js'

/** The virtual chain took a transaction in, or took it back when its accepting block left the chain. */
export interface AcceptanceChange {
  readonly type: 'accepted' | 'reverted'
  readonly transactionId: string
  /** The chain block that accepts it, or did. */
  readonly acceptingBlockHash: string
}

/** The senders of an accepted transaction have become known. */
export interface SendersResolved extends AcceptedTransactionInfo {
  readonly type: 'resolved'
}

export interface AcceptedTransactionsOptions {
  /**
   * The chain block up to which everything has been heard of already, in an earlier run, say: what was accepted since
   * comes first. Where the node does not know it any more, or it has left the chain, `gaps$` says so.
   * @default where the chain stands
   */
  readonly from?: string | undefined
  /** Tell the sender addresses of each, as soon as they are known: `{ type: 'resolved' }`. @default false */
  readonly includeSenderAddresses?: boolean | undefined
}

/** A stretch of what a stream promises that could not be read. */
export interface Gap {
  readonly stream: 'accepted-transactions' | 'blocks'
  /** The last block known before the gap, a chain block for accepted transactions; null where there was none. */
  readonly from: string | null
  /** The first block known after it; null while there is none. */
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
