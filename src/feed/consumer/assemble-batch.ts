import { ChainError } from '../../errors/chain-error.js'
import type { AddedMessage, BeginMessage, EndMessage, RemovedMessage, TransferMessage } from '../jetstream/messages.js'

/** What a consumer reads of a stream. */
export type ConsumedMessage = BeginMessage | AddedMessage | RemovedMessage | EndMessage | TransferMessage

/** The messages of an attempt so far. */
export interface OpenBatch {
  readonly begin: BeginMessage
  readonly added: readonly string[]
  readonly removed: readonly string[]
  /** Grows in place: copies would take time with the square of its size. */
  readonly transfers: TransferMessage[]
}

/** How far a consumer has read. */
export interface Assembly {
  /** The last batch that was complete; null before the first one. */
  readonly last: number | null
  readonly open: OpenBatch | null
  /** The batch that the last message has completed. */
  readonly complete: (OpenBatch & { readonly end: EndMessage }) | null
}

export const beginAfter = (last: number | null): Assembly => ({ last, open: null, complete: null })

/**
 * The next state. A batch counts with its end; a new beginning supersedes what was open. Throws `ChainError` `history-gap` where batches
 * or transfers are missing; `isFiltered` says that transfers of other addresses are not read.
 */
export function reduceAssembly(state: Assembly, message: ConsumedMessage, isFiltered: boolean): Assembly {
  if (message.type === 'begin') return begin(state, message)
  const { open } = state
  if (message.attempt !== open?.begin.attempt) return without(state) // of an attempt whose beginning was not read
  switch (message.type) {
    case 'added':
      return { ...state, complete: null, open: { ...open, added: [...open.added, ...message.addresses] } }
    case 'removed':
      return { ...state, complete: null, open: { ...open, removed: [...open.removed, ...message.addresses] } }
    case 'transfer':
      open.transfers.push(message)
      return without(state)
    case 'end':
      if (!isFiltered && message.transfers !== open.transfers.length) throw incomplete(message, open)
      return { last: message.batch, open: null, complete: { ...open, end: message } }
  }
}

const without = (state: Assembly): Assembly => (state.complete === null ? state : { ...state, complete: null })

function begin({ last }: Assembly, message: BeginMessage): Assembly {
  if (last !== null && message.batch !== last + 1) throw gap(last, message.batch)
  return { last, complete: null, open: { begin: message, added: [], removed: [], transfers: [] } }
}

const gap = (last: number, next: number): ChainError<'history-gap'> =>
  new ChainError(`Batch ${next} of the stream follows batch ${last}`, {
    code: 'history-gap',
    hint: 'The stream was deleted, or keeps messages for a shorter time than this consumer was stopped. Read it again from the beginning.',
  })

const incomplete = ({ batch, transfers }: EndMessage, open: OpenBatch): ChainError<'history-gap'> =>
  new ChainError(`Batch ${batch} of the stream has ${open.transfers.length} of ${transfers} transfers`, {
    code: 'history-gap',
    hint: 'Messages were removed from the stream.',
  })
