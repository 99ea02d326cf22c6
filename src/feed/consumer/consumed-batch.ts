import type { ChainRollback } from '../../streams/chain/batch.js'
import type { Transfer } from '../../streams/transfers/transfer.js'
import type { BeginMessage, TransferMessage, AddedMessage, EndMessage, RemovedMessage } from '../jetstream/messages.js'
import { ChainError } from '../../errors/chain-error.js'

/** A transfer as it was delivered. */
export interface ConsumedTransfer extends Transfer {
  /** Of the transaction, in sompi; null for opening credits, and where it is unknown. */
  readonly fee: bigint | null
}

/**
 * What changes from one position of the chain to the next. Apply it whole, in this order: `rollback`, `added`,
 * `transfers`. Then a sum of credits minus debits of an address is its balance.
 */
export interface ConsumedBatch {
  /** Batches of a stream are numbered without gaps. */
  readonly batch: number
  /** The position after the batch, as text: `after` of the next call, where a program stores it with its rows. */
  readonly position: string
  /** A reorg: delete what was accepted above this blue score. Null for the usual case. */
  readonly rollback: ChainRollback | null
  /** Addresses that count from this batch on: delete what is stored for them. */
  readonly added: readonly string[]
  /** Addresses that no longer count. Their rows stay. */
  readonly removed: readonly string[]
  readonly transfers: readonly ConsumedTransfer[]
  /** The position in the chain, for `followTransfers` and `followChain`. */
  readonly cursor: string
  readonly blueScore: bigint
  /** Whether the feed had reached the end of the chain. */
  readonly isLive: boolean
  /**
   * Stores under the option `name` that this batch and all before it are done: the next call with that name continues
   * after it. Does nothing without a name. Rejects with `ChainError` `taken-over` where another consumer of that name
   * was faster; may be repeated.
   */
  ack(): Promise<void>
}

/** A complete batch in the types of this library. `isWanted` selects addresses. */
export function toConsumedBatch(
  { begin, added, removed, transfers, end }: AttemptMessages,
  position: string,
  isWanted: (address: string) => boolean,
): Omit<ConsumedBatch, 'ack'> {
  return {
    batch: end.batch,
    position,
    rollback: toRollback(begin.rollback),
    added: added.filter(isWanted),
    removed: removed.filter(isWanted),
    transfers: transfers.map(toTransfer),
    cursor: end.cursor,
    blueScore: BigInt(end.blueScore),
    isLive: end.isLive,
  }
}

const toRollback = (rollback: BeginMessage['rollback']): ChainRollback | null =>
  rollback === null
    ? null
    : { hash: rollback.hash, blueScore: BigInt(rollback.blueScore), daaScore: BigInt(rollback.daaScore) }

function toTransfer({ type: _, batch: __, attempt: ___, ...transfer }: TransferMessage): ConsumedTransfer {
  return {
    ...transfer,
    amount: BigInt(transfer.amount),
    acceptingBlueScore: BigInt(transfer.acceptingBlueScore),
    acceptingDaaScore: BigInt(transfer.acceptingDaaScore),
    fee: transfer.fee === null ? null : BigInt(transfer.fee),
  }
}

/** What a consumer reads of a stream. */
export type ConsumedMessage = BeginMessage | AddedMessage | RemovedMessage | EndMessage | TransferMessage

/** The messages of a complete attempt. */
interface AttemptMessages {
  readonly begin: BeginMessage
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly transfers: readonly TransferMessage[]
  readonly end: EndMessage
}

/**
 * Collects the messages of one reader into batches. A batch counts with its end; a new beginning supersedes what was
 * open.
 */
export class BatchBuilder {
  #open: OpenAttempt | null = null

  /**
   * @param last the last batch that was complete, with its attempt; null where it is not known
   * @param isFiltered whether transfers of other addresses are not read
   */
  constructor(
    private last: Pick<EndMessage, 'batch' | 'attempt'> | null,
    private readonly isFiltered: boolean,
  ) {}

  /**
   * The batch that a message completes; null where it completes none. Throws `ChainError` `history-gap` where batches
   * or transfers are missing.
   */
  add(message: ConsumedMessage): AttemptMessages | null {
    if (message.type === 'begin') {
      if (this.last !== null) requireNext(message, this.last)
      this.#open = { begin: message, added: [], removed: [], transfers: [] }
    } else if (this.#open !== null && message.attempt === this.#open.begin.attempt) {
      if (message.type === 'end') return this.#complete(this.#open, message)
      collect(this.#open, message)
    } // else of an attempt whose beginning was not read
    return null
  }

  #complete(open: OpenAttempt, end: EndMessage): AttemptMessages {
    if (!this.isFiltered && end.transfers !== open.transfers.length) throw incomplete(end, open)
    this.#open = null
    this.last = end
    return { ...open, end }
  }
}

/** Lists grow in place: copies would take time with the square of their size. */
interface OpenAttempt {
  readonly begin: BeginMessage
  readonly added: string[]
  readonly removed: string[]
  readonly transfers: TransferMessage[]
}

function collect(open: OpenAttempt, message: AddedMessage | RemovedMessage | TransferMessage): void {
  if (message.type === 'transfer') open.transfers.push(message)
  else for (const address of message.addresses) open[message.type].push(address)
}

/** A stream that was restored from an older copy has other batches of the same numbers. */
function requireNext({ batch, previousAttempt }: BeginMessage, last: Pick<EndMessage, 'batch' | 'attempt'>): void {
  if (batch !== last.batch + 1) throw gap(`Batch ${batch} of the stream follows batch ${last.batch}`)
  if (previousAttempt !== last.attempt)
    throw gap(`Batch ${batch} of the stream does not follow batch ${last.batch} that was read before`)
}

const gap = (message: string): ChainError<'history-gap'> =>
  new ChainError(message, {
    code: 'history-gap',
    hint: 'The stream was deleted, restored from an older copy, or keeps messages for a shorter time than this consumer was stopped. Delete the rows and read it again from the beginning.',
  })

const incomplete = ({ batch, transfers }: EndMessage, open: OpenAttempt): ChainError<'history-gap'> =>
  new ChainError(`Batch ${batch} of the stream has ${open.transfers.length} of ${transfers} transfers`, {
    code: 'history-gap',
    hint: 'Messages were removed from the stream.',
  })
