import { refuseUnknown, ChainError } from '../../errors/chain-error.js'
import type { FeedSink, FeedSession, FeedStep } from '../sink.js'
import { transferStream, streamOf, transferSubjects, batchSubject } from './ensure-stream.js'
import { createStreamOpener, type JetStreamOptions, type OpenedStream } from './open-stream.js'
import type { ChainNetwork } from '../../model/network.js'
import { createBatchWriter } from './publish-batch.js'
import { converted } from './nats-server.js'
import { planBatch, chunks, WatchSet } from './plan-batch.js'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'
import type { StoredCredit } from '../../streams/transfers/known-outputs.js'
import type { JetStreamClients } from './nats-connection.js'
import type { TransferMessage, BatchMessage, EndMessage, FeedMessage } from './messages.js'
import type { JetStreamManager, StoredMsg } from '@nats-io/jetstream'

/** How many messages are requested at a time. */
const READ_AHEAD = 1_000

export interface JetStreamSinkOptions extends JetStreamOptions {
  /** Of a stream that is created: how long, in ms, messages are kept; 0 for ever. @default 0 */
  readonly maxAge?: number | undefined
}

const NAMES = ['connection', 'leaseTimeout', 'timeout', 'replicas', 'maxAge'] satisfies (keyof JetStreamSinkOptions)[]

/**
 * Delivers into a stream of NATS JetStream, a message for each transfer, by one of several instances. Needs NATS server
 * 2.10 or later, and the packages `@nats-io/transport-node` and `@nats-io/jetstream`. Throws `ChainError`
 * (`invalid-argument`).
 */
export function createJetStreamSink(options: JetStreamSinkOptions): FeedSink {
  refuseUnknown(options, NAMES)
  const opener = createStreamOpener(options)
  return {
    hasWatchTable: false,
    leaseTimeout: opener.leaseTimeout,
    open: ({ network, onWait, signal }) =>
      opener.open({
        purpose: transferStream(network),
        lease: network,
        onWait,
        signal,
        begin: async (stream) => createSession(await readPosition(stream.clients.manager, network), network, stream),
      }),
  }
}

/** Delivers from a stored position on. */
function createSession(stored: StoredPosition, network: ChainNetwork, opened: OpenedStream): FeedSession {
  const { clients, maxAge, heartbeat$, dropped, close } = opened
  const { watched, end } = stored
  const credits = new CreditIndex(clients, network)
  const writeBatch = createBatchWriter(streamOf(network), stored, opened)
  return {
    cursor: end?.cursor ?? null,
    watched: watched.addresses(),
    async write(step) {
      await writeBatch((place) => planBatch(step, { ...place, network, maxAge, now: Date.now() }, watched))
      credits.add(step)
      return []
    },
    findCredits: (outpoints) => converted(() => credits.find(outpoints)),
    findOpenings: (blueScore) => watched.openingsAbove(blueScore),
    heartbeat$,
    dropped,
    close,
  }
}

/**
 * Finds delivered credits by outpoint. Only blocks that a node does not return whole need it, so the stream is read
 * when the first one comes. Address and amount of an outpoint never change: credits that were undone, or belong to a
 * superseded attempt, do no harm.
 */
class CreditIndex {
  readonly #credits = new Map<OutpointKey, StoredCredit>()
  #reading: Promise<void> | undefined

  constructor(
    private readonly clients: JetStreamClients,
    private readonly network: ChainNetwork,
  ) {}

  /** Adds the credits of a step that was delivered, where the stream has been read. */
  add({ transactions }: FeedStep): void {
    if (this.#reading === undefined) return
    for (const { transfers } of transactions)
      for (const { direction, outpoint, address, amount, covenantId } of transfers)
        if (direction === 'credit')
          this.#credits.set(toOutpointKey(outpoint), { outpoint, address, amount, covenantId })
  }

  async find(outpoints: readonly Outpoint[]): Promise<readonly StoredCredit[]> {
    this.#reading ??= this.#read()
    await this.#reading
    return outpoints.flatMap((outpoint) => this.#credits.get(toOutpointKey(outpoint)) ?? [])
  }

  async #read(): Promise<void> {
    const options = { filter_subjects: transferSubjects(this.network) }
    const consumer = await this.clients.manager.jetstream().consumers.get(streamOf(this.network), options)
    const { num_pending: pending } = await consumer.info()
    if (pending === 0) return
    for await (const message of await consumer.consume({ max_messages: READ_AHEAD })) {
      const { direction, outpoint, address, amount, covenantId } = message.json<TransferMessage>()
      if (direction === 'credit')
        this.#credits.set(toOutpointKey(outpoint), { outpoint, address, amount: BigInt(amount), covenantId })
      if (message.info.pending === 0) break
    }
  }
}

/** Where a stream ends. */
interface StoredPosition {
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
