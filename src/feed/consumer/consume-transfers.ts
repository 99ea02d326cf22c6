import { jetstreamManager, type Consumer, type JetStreamManager } from '@nats-io/jetstream'
import { ChainError, invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { onAbort } from '../../loading/abortable.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import { watchConnection, toClient, type NatsConnection } from '../jetstream/nats-connection.js'
import { requireServer, retried } from '../jetstream/nats-server.js'
import { batchSubject, streamOf, transferSubject, transferSubjects } from '../jetstream/ensure-stream.js'
import type { EndMessage } from '../jetstream/messages.js'
import { BatchBuilder, type ConsumedMessage, toConsumedBatch, type ConsumedBatch } from './consumed-batch.js'
import { decodePosition, encodePosition, type Position, openProgress, type ProgressStore } from './stored-progress.js'

export interface ConsumeTransfersOptions {
  readonly network: ChainNetwork
  /** Transfers of other addresses are not sent. @default all watched addresses */
  readonly addresses?: readonly string[] | undefined
  /** Stores under this name which batch was acknowledged, and continues after it. Letters, digits, `-` and `_`. */
  readonly name?: string | undefined
  /** Continues after a batch, by its `position`: for programs that store it with their rows. */
  readonly after?: string | undefined
  /**
   * Where to begin without `after`, and with a new `name`: at the first message of the stream, or with the next batch.
   * @default 'beginning'
   */
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
 * Batches that a feed has delivered into JetStream, complete and in order, each once; superseded attempts are left out.
 * Waits for the stream, and connects again without end. Rejects with `ChainError`: `history-gap` where batches were
 * removed from the stream, `unsupported` for a server before 2.10, `disposed` after the connection was closed. Throws
 * `ChainError` (`invalid-argument`).
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
    const after = options.after ?? progress?.stored?.position
    const isNext = after === undefined && options.from === 'next'
    const start = isNext ? await reader.retried(() => reader.end(manager)) : toStart(after, network)
    yield* reader.read(manager, start, progress)
  } catch (error) {
    if (!signal.aborted) throw error
  }
}

/** Where reading begins: after a batch, after a sequence at which none need end, or at the first message. */
type Start = Position | Pick<Position, 'sequence' | 'created'> | undefined

/** The batch after which reading begins; null where it is not known. */
const batchOf = (start: Start): Position | null => (start !== undefined && 'batch' in start ? start : null)

/** Text that an acknowledgement of another release has stored names no batch: what follows it is not known. */
function toStart(after: string | undefined, network: ChainNetwork): Start {
  if (after === undefined) return undefined
  const position = decodePosition(after)
  if (position === undefined) throw removed(streamOf(network), after)
  return position
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

  /** After the last message of the stream. */
  async end(manager: JetStreamManager): Promise<Start> {
    const { created, state } = await manager.streams.info(streamOf(this.network))
    return { created, sequence: state.last_seq }
  }

  /** Reads again after the last complete batch where reading is interrupted. */
  async *read(
    manager: JetStreamManager,
    start: Start,
    progress: ProgressStore | undefined,
  ): AsyncGenerator<ConsumedBatch> {
    let from = start
    while (!this.signal.aborted)
      for await (const { batch, at } of this.#readUntilInterrupted(manager, from)) {
        from = at
        const { batch: number, position } = batch
        yield { ...batch, ack: () => this.retried(async () => progress?.save({ batch: number, position })) }
      }
  }

  /**
   * Ends with the connection: the server may have forgotten the consumer then, and creating it again is what is sure to
   * work.
   */
  async *#readUntilInterrupted(manager: JetStreamManager, start: Start): AsyncGenerator<ReadBatch> {
    const watch = watchConnection(toClient(this.connection))
    const { consumer, created } = await this.retried(() => this.#createConsumer(manager, start))
    const messages = await consumer.consume({ max_messages: READ_AHEAD, expires: EXPIRES })
    const stop = (): void => messages.stop()
    watch.lost.catch(stop)
    const release = onAbort(this.signal, stop)
    const builder = new BatchBuilder(batchOf(start), this.#wanted !== undefined)
    try {
      for await (const { seq, data } of messages) {
        const message = JSON.parse(DECODER.decode(data)) as ConsumedMessage // written by the sink
        const complete = builder.add(message)
        if (complete === null) continue
        const { batch, attempt } = complete.end
        const at = { sequence: seq, batch, attempt, created }
        yield {
          at,
          batch: toConsumedBatch(complete, encodePosition(at), (address) => this.#wanted?.has(address) ?? true),
        }
      }
    } finally {
      release()
      watch.end()
      stop()
    }
  }

  /** The stream is checked once the consumer exists: it ends with the stream that it was created on. */
  async #createConsumer(manager: JetStreamManager, start: Start): Promise<OpenConsumer> {
    const stream = streamOf(this.network)
    const { network } = this
    const transfers =
      this.#wanted === undefined
        ? [transferSubjects(network)]
        : [...this.#wanted].map((address) => transferSubject(network, address))
    const policy =
      start === undefined
        ? ({ deliver_policy: 'all' } as const)
        : ({ deliver_policy: 'by_start_sequence', opt_start_seq: start.sequence + 1 } as const)
    const consumer = await manager
      .jetstream()
      .consumers.get(stream, { filter_subjects: [batchSubject(network), ...transfers], ...policy })
    const { created, state } = await manager.streams.info(stream)
    if (start === undefined) return { consumer, created }
    const isHeld = state.first_seq <= start.sequence + 1 && state.last_seq >= start.sequence
    if (!isHeld || created !== start.created || !(await this.#holds(manager, batchOf(start))))
      throw removed(stream, String(start.sequence))
    return { consumer, created }
  }

  /**
   * Whether a batch is where a position says. Where its end was removed, the next batch names the attempt that it
   * follows.
   */
  async #holds(manager: JetStreamManager, position: Position | null): Promise<boolean> {
    if (position === null) return true
    const { sequence, batch, attempt } = position
    const end = await manager.streams.getMessage(streamOf(this.network), { seq: sequence })
    if (end === null) return true
    const found = end.json<Partial<EndMessage>>()
    return found.type === 'end' && found.batch === batch && found.attempt === attempt
  }
}

interface OpenConsumer {
  readonly consumer: Consumer
  /** When the stream was created. */
  readonly created: string
}

interface ReadBatch {
  readonly batch: Omit<ConsumedBatch, 'ack'>
  readonly at: Position
}

const DECODER = /*#__PURE__*/ new TextDecoder()

const removed = (stream: string, after: string): ChainError<'history-gap'> =>
  new ChainError(`The stream "${stream}" does not hold what follows message ${after}`, {
    code: 'history-gap',
    hint: 'It was deleted, restored from an older copy, or keeps messages for a shorter time than this consumer was stopped. Delete the rows and read it again from the beginning.',
  })

function checkOptions(options: ConsumeTransfersOptions): void {
  refuseUnknown(options, NAMES)
  const { network, name, after, from, addresses } = options
  if (name !== undefined && !/^[\w-]+$/.test(name))
    throw invalidArgument('name', '"name" is not made of letters, digits, - and _')
  if (after !== undefined && (typeof after !== 'string' || decodePosition(after) === undefined))
    throw invalidArgument('after', '"after" is no position of a batch')
  if (from !== undefined && !['beginning', 'next'].includes(from))
    throw invalidArgument('from', "\"from\" is neither 'beginning' nor 'next'")
  const index = addresses?.findIndex((address) => !isValidAddress(address, network)) ?? -1
  if (index !== -1) throw invalidArgument(`addresses[${index}]`, `"addresses[${index}]" is no address of ${network}`)
}
