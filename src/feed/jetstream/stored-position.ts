import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream'
import { ChainError } from '../../errors/chain-error.js'
import type { ChainNetwork } from '../../model/network.js'
import type { BatchMessage, EndMessage, FeedMessage } from './messages.js'
import { batchSubject, streamOf } from './subjects.js'
import { chunks, WatchSet } from './watch-set.js'

/** Where a stream ends. */
export interface StoredPosition {
  /** The last sequence of the stream. */
  readonly lastSequence: number
  /** The last batch that counts; null before the first one. */
  readonly end: (EndMessage & { readonly sequence: number }) | null
  readonly watched: WatchSet
}

/** How many messages are read at a time. */
const READS = 50

/**
 * Reads where a stream ends, from its leader. The last sequence comes first: what another instance stores afterwards
 * makes it stale, and the first message of the next batch fails.
 */
export async function readPosition(manager: JetStreamManager, network: ChainNetwork): Promise<StoredPosition> {
  const stream = streamOf(network)
  for (;;) {
    const { state } = await manager.streams.info(stream)
    const last = await manager.streams.getMessage(stream, { last_by_subj: batchSubject(network) })
    if (last !== null && last.seq > state.last_seq) continue // stored in between
    const end = last === null ? null : await readEnd(manager, stream, last)
    if (end === null && state.first_seq > 1) throw expired(stream) // something was removed: not a new stream
    const watched = await readWatched(manager, stream, end?.watched ?? [])
    return { lastSequence: state.last_seq, end, watched }
  }
}

/** The end of a batch, from the last message about batches: itself, or the one that it names. */
async function readEnd(manager: JetStreamManager, stream: string, last: StoredMsg): Promise<StoredPosition['end']> {
  const message = last.json<BatchMessage>()
  if (message.type === 'end') return { ...message, sequence: last.seq }
  if (message.previous === 0) return null
  const end = await manager.streams.getMessage(stream, { seq: message.previous })
  if (end === null) throw expired(stream)
  return { ...end.json<EndMessage>(), sequence: end.seq }
}

async function readWatched(manager: JetStreamManager, stream: string, sequences: readonly number[]): Promise<WatchSet> {
  const watched = new WatchSet()
  for (const some of chunks(sequences, READS)) {
    const messages = await Promise.all(some.map((seq) => manager.streams.getMessage(stream, { seq })))
    for (const stored of messages) {
      if (stored === null) throw expired(stream)
      watched.restore(stored.json<FeedMessage>(), stored.seq, stored.time.getTime())
    }
  }
  return watched
}

const expired = (stream: string): ChainError<'history-gap'> =>
  new ChainError(`The position in the stream "${stream}" was removed`, {
    code: 'history-gap',
    hint: 'The feed was stopped longer than the stream keeps messages. Delete the stream to begin again.',
  })
