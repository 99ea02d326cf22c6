import type { Transfer } from '../../streams/transfers/transfer.js'

/** What every message carries beside its type. */
interface Part {
  /** Numbers the batches of a stream from 1 on, without gaps. */
  readonly batch: number
  /** Names one attempt to publish the batch. Of several attempts the last one counts. */
  readonly attempt: string
}

/** Messages of `chain.<network>.batch`. Scores are decimal text. */
export type BatchMessage = BeginMessage | AddedMessage | RemovedMessage | EndMessage

/** The first message of a batch. */
export interface BeginMessage extends Part {
  readonly type: 'begin'
  /** A reorg: what was accepted above this blue score is undone before the batch is applied. */
  readonly rollback: { readonly hash: string; readonly blueScore: string; readonly daaScore: string } | null
  /** The stream sequence of the end of the batch before; 0 for none. */
  readonly previous: number
  /** The attempt of the batch before; null for none. */
  readonly previousAttempt: string | null
}

/** Addresses that count from this batch on. What was delivered for them before is void. */
export interface AddedMessage extends Part {
  readonly type: 'added'
  readonly addresses: readonly string[]
  /** The blue score of the block after which they count. */
  readonly after: string
  readonly previous: number
}

/** Addresses that no longer count. What was delivered stays. */
export interface RemovedMessage extends Part {
  readonly type: 'removed'
  readonly addresses: readonly string[]
  readonly previous: number
}

/** The last message of a batch: it counts from here on. */
export interface EndMessage extends Part {
  readonly type: 'end'
  /** How many transfers the batch has. */
  readonly transfers: number
  readonly cursor: string
  readonly blueScore: string
  readonly isLive: boolean
  /** The stream sequences of the messages that make up the watched addresses, in the order in which they apply. */
  readonly watched: readonly number[]
}

/** A message of `chain.<network>.watched`: addresses by the blue score of the block after which they count. */
export interface WatchedMessage extends Part {
  readonly type: 'watched'
  readonly openings: readonly (readonly [blueScore: string, addresses: readonly string[]])[]
}

/** The fields of a transfer whose type is not that of JSON. */
type Converted = 'amount' | 'acceptingBlueScore' | 'acceptingDaaScore'

/** A message of `chain.<network>.transfer.<address>`: bigints are decimal text. */
export type TransferMessage = Part &
  Omit<Transfer, Converted> &
  Readonly<Record<Converted, string>> & {
    readonly type: 'transfer'
    /** Of the transaction, in sompi; null where it is unknown. */
    readonly fee: string | null
  }

export type FeedMessage = BatchMessage | TransferMessage | WatchedMessage

/** A message without what is added when its batch is published. */
export type Unnumbered<M> = M extends Part ? Omit<M, keyof Part> : never

/** The message of a transfer. */
export const toTransferMessage = (transfer: Transfer, fee: bigint | null): Unnumbered<TransferMessage> => ({
  type: 'transfer',
  ...transfer,
  amount: String(transfer.amount),
  acceptingBlueScore: String(transfer.acceptingBlueScore),
  acceptingDaaScore: String(transfer.acceptingDaaScore),
  fee: fee === null ? null : String(fee),
})
