import { refuseUnknown } from '../../errors/chain-error.js'
import type { FeedSink, FeedSession, FeedStep } from '../sink.js'
import { transferStream } from './ensure-stream.js'
import { createStreamOpener, type JetStreamOptions, type OpenedStream } from './open-stream.js'
import { readPosition, type StoredPosition } from './stored-position.js'
import type { ChainNetwork } from '../../model/network.js'
import { createBatchWriter } from './batch-writer.js'
import { converted } from './nats-errors.js'
import { planBatch } from './plan-batch.js'
import { streamOf, transferSubjects } from './subjects.js'
import { toOutpointKey, type Outpoint, type OutpointKey } from '../../model/utxo.js'
import type { StoredCredit } from '../../streams/transfers/known-outputs.js'
import type { JetStreamClients } from './clients.js'
import type { TransferMessage } from './messages.js'

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
