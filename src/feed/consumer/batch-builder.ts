import { ChainError } from '../../errors/chain-error.js'
import type { AddedMessage, BeginMessage, EndMessage, RemovedMessage, TransferMessage } from '../jetstream/messages.js'

/** What a consumer reads of a stream. */
export type ConsumedMessage = BeginMessage | AddedMessage | RemovedMessage | EndMessage | TransferMessage

/** The messages of a complete attempt. */
export interface AttemptMessages {
  readonly begin: BeginMessage
  readonly added: readonly string[]
  readonly removed: readonly string[]
  readonly transfers: readonly TransferMessage[]
  readonly end: EndMessage
}

/** Collects the messages of one reader into batches. A batch counts with its end; a new beginning supersedes what was open. */
export class BatchBuilder {
  #open: OpenAttempt | null = null

  /**
   * @param last the last batch that was complete; null where it is not known
   * @param isFiltered whether transfers of other addresses are not read
   */
  constructor(
    private last: number | null,
    private readonly isFiltered: boolean,
  ) {}

  /** The batch that a message completes; null where it completes none. Throws `ChainError` `history-gap` where batches or transfers are missing. */
  add(message: ConsumedMessage): AttemptMessages | null {
    if (message.type === 'begin') {
      if (this.last !== null && message.batch !== this.last + 1) throw gap(this.last, message.batch)
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
    this.last = end.batch
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

const gap = (last: number, next: number): ChainError<'history-gap'> =>
  new ChainError(`Batch ${next} of the stream follows batch ${last}`, {
    code: 'history-gap',
    hint: 'The stream was deleted, or keeps messages for a shorter time than this consumer was stopped. Read it again from the beginning.',
  })

const incomplete = ({ batch, transfers }: EndMessage, open: OpenAttempt): ChainError<'history-gap'> =>
  new ChainError(`Batch ${batch} of the stream has ${open.transfers.length} of ${transfers} transfers`, {
    code: 'history-gap',
    hint: 'Messages were removed from the stream.',
  })
