import { jetstreamManager, type Consumer, type JetStreamManager } from '@nats-io/jetstream'
import { ChainError, invalidArgument } from '../../errors/chain-error.js'
import { refuseUnknown } from '../../errors/unknown-option.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import { watchConnection } from '../jetstream/connection-watch.js'
import { toClient, type NatsConnection } from '../jetstream/nats-connection.js'
import { requireServer } from '../jetstream/require-server.js'
import { batchSubject, streamOf, transferSubject, transferSubjects } from '../jetstream/subjects.js'
import { BatchBuilder, type ConsumedMessage } from './batch-builder.js'
import { toConsumedBatch, type ConsumedBatch } from './consumed-batch.js'
import { retried } from './retry.js'
import { openProgress, type ProgressStore } from './stored-progress.js'

export interface ConsumeTransfersOptions {
  readonly network: ChainNetwork
  /** Transfers of other addresses are not sent. @default all watched addresses */
  readonly addresses?: readonly string[] | undefined
  /** Stores under this name which batch was acknowledged, and continues after it. Letters, digits, `-` and `_`. */
  readonly name?: string | undefined
  /** Continues after a batch, by its `position`: for programs that store it with their rows. */
  readonly after?: number | undefined
  /** Where to begin without `after`, and with a new `name`: at the first message of the stream, or with the next batch. @default 'beginning' */
  readonly from?: 'beginning' | 'next' | undefined
  /** Ends the iteration. */
  readonly signal?: AbortSignal | undefined
}

const NAMES = ['network', 'addresses', 'name', 'after', 'from', 'signal'] satisfies (keyof ConsumeTransfersOptions)[]

/** How many messages are requested at a time. */
const READ_AHEAD = 1_000

/** How long, in ms, a request for messages lasts. A server that has forgotten it is noticed after as long. */
const EXPIRES = 5_000

/** How long, in ms, another request may take before it is repeated: the client forgets some while it connects again. */
const TIMEOUT = 2_000

/**
 * Batches that a feed has delivered into JetStream, complete and in order, each once; superseded attempts are left out. Waits for the
 * stream, and connects again without end. Rejects with `ChainError`: `history-gap` where batches were removed from the stream,
 * `unsupported` for a server before 2.10, `disposed` after the connection was closed. Throws `ChainError` (`invalid-argument`).
 */
export function consumeTransfers(
  connection: NatsConnection,
  options: ConsumeTransfersOptions,
): AsyncIterableIterator<ConsumedBatch> {
  checkOptions(options)
  return consume(connection, options)
}

async function* consume(connection: NatsConnection, options: ConsumeTransfersOptions): AsyncGenerator<ConsumedBatch> {
  const { network, name, addresses, signal = new AbortController().signal } = options
  const reader = new Reader(connection, network, addresses, signal)
  try {
    const manager = await reader.retried(() => reader.open())
    const progress = name === undefined ? undefined : await reader.retried(() => openProgress(manager, network, name))
    const stored = options.after ?? progress?.stored?.position
    const isNext = stored === undefined && options.from === 'next'
    const after = isNext ? await reader.retried(() => reader.lastSequence(manager)) : stored
    const last = options.after === undefined ? (progress?.stored?.batch ?? null) : null
    yield* reader.read(manager, { after, last }, progress)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

interface Start {
  /** The last sequence that is not read again. */
  readonly after: number | undefined
  /** The last batch that is not read again; null where it is not known. */
  readonly last: number | null
}

class Reader {
  readonly #wanted: ReadonlySet<string> | undefined

  constructor(
    private readonly connection: NatsConnection,
    private readonly network: ChainNetwork,
    addresses: readonly string[] | undefined,
    private readonly signal: AbortSignal,
  ) {
    this.#wanted = addresses === undefined ? undefined : new Set(addresses)
  }

  retried<T>(work: () => Promise<T>): Promise<T> {
    return retried(this.connection, this.signal, work)
  }

  async open(): Promise<JetStreamManager> {
    requireServer(this.connection)
    return jetstreamManager(toClient(this.connection), { checkAPI: false, timeout: TIMEOUT })
  }

  async lastSequence(manager: JetStreamManager): Promise<number> {
    const { state } = await manager.streams.info(streamOf(this.network))
    return state.last_seq
  }

  /** Reads again after the last complete batch where reading is interrupted. */
  async *read(
    manager: JetStreamManager,
    start: Start,
    progress: ProgressStore | undefined,
  ): AsyncGenerator<ConsumedBatch> {
    let from = start
    while (!this.signal.aborted)
      for await (const read of this.#readUntilInterrupted(manager, from)) {
        const { batch, position } = read
        from = { after: position, last: batch }
        yield { ...read, ack: () => this.retried(async () => progress?.save({ batch, position })) }
      }
  }

  /** Ends with the connection: the server may have forgotten the consumer then, and creating it again is what is sure to work. */
  async *#readUntilInterrupted(manager: JetStreamManager, start: Start): AsyncGenerator<Omit<ConsumedBatch, 'ack'>> {
    const watch = watchConnection(toClient(this.connection))
    const consumer = await this.retried(() => this.#createConsumer(manager, start))
    const messages = await consumer.consume({ max_messages: READ_AHEAD, expires: EXPIRES })
    const stop = (): void => messages.stop()
    watch.lost.catch(stop)
    this.signal.addEventListener('abort', stop)
    if (this.signal.aborted) stop()
    const builder = new BatchBuilder(start.last, this.#wanted !== undefined)
    try {
      for await (const { seq, data } of messages) {
        const message = JSON.parse(DECODER.decode(data)) as ConsumedMessage // written by the sink
        const complete = builder.add(message)
        if (complete !== null) yield toConsumedBatch(complete, seq, (address) => this.#wanted?.has(address) ?? true)
      }
    } finally {
      this.signal.removeEventListener('abort', stop)
      watch.end()
      stop()
    }
  }

  async #createConsumer(manager: JetStreamManager, { after }: Start): Promise<Consumer> {
    const stream = streamOf(this.network)
    const { state } = await manager.streams.info(stream)
    if (after !== undefined && (state.first_seq > after + 1 || state.last_seq < after)) throw removed(stream, after)
    const { network } = this
    const transfers =
      this.#wanted === undefined
        ? [transferSubjects(network)]
        : [...this.#wanted].map((address) => transferSubject(network, address))
    const start =
      after === undefined
        ? ({ deliver_policy: 'all' } as const)
        : ({ deliver_policy: 'by_start_sequence', opt_start_seq: after + 1 } as const)
    return manager
      .jetstream()
      .consumers.get(stream, { filter_subjects: [batchSubject(network), ...transfers], ...start })
  }
}

const DECODER = /*#__PURE__*/ new TextDecoder()

const removed = (stream: string, after: number): ChainError<'history-gap'> =>
  new ChainError(`The stream "${stream}" does not hold what follows message ${after}`, {
    code: 'history-gap',
    hint: 'It was deleted, or keeps messages for a shorter time than this consumer was stopped. Read it again from the beginning.',
  })

function checkOptions(options: ConsumeTransfersOptions): void {
  refuseUnknown(options, NAMES)
  const { network, name, after, from, addresses } = options
  if (name !== undefined && !/^[\w-]+$/.test(name))
    throw invalidArgument('name', '"name" is not made of letters, digits, - and _')
  if (after !== undefined && !(Number.isSafeInteger(after) && after >= 0))
    throw invalidArgument('after', '"after" is no position of a batch')
  if (from !== undefined && !['beginning', 'next'].includes(from))
    throw invalidArgument('from', "\"from\" is neither 'beginning' nor 'next'")
  const index = addresses?.findIndex((address) => !isValidAddress(address, network)) ?? -1
  if (index !== -1) throw invalidArgument(`addresses[${index}]`, `"addresses[${index}]" is no address of ${network}`)
}
