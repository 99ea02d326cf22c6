import type { ChainError } from '../../errors/chain-error.js'

/** The virtual chain took a transaction in, or took it back when its accepting block left the chain. */
export interface AcceptanceChange {
  readonly type: 'accepted' | 'reverted'
  readonly transactionId: string
  /** The chain block that accepts it, or did. */
  readonly acceptingBlockHash: string
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
