import type { ConsumerMessages, JsMsg } from '@nats-io/jetstream'
import { ChainError } from '../../errors/chain-error.js'
import { SessionDropped } from '../../errors/payout-error.js'
import { loadClients, type NatsConnection } from '../../feed/jetstream/nats-connection.js'
import {
  ApiCode,
  apiCodeOf,
  converted,
  PROBE_TIMEOUT,
  requireJetStream,
  requireServer,
} from '../../feed/jetstream/nats-server.js'
import { onAbort } from '../../loading/abortable.js'
import { isValidAddress } from '../../model/address.js'
import type { ChainNetwork } from '../../model/network.js'
import type { ChainLogger } from '../../platform/port.js'
import { createWatchedAddresses, type WatchedAddresses } from '../../streams/transfers/watched-addresses.js'

/** Keys that are requested at a time, and how long in ms a request lasts. */
const READING = { max_messages: 1_000, expires: 5_000, abort_on_missing_resource: true } as const

/** The following of a bucket for one session of the sink. */
export interface FollowedBucket {
  /** Rejects with `SessionDropped` when it has ended by itself. */
  readonly lost: Promise<never>
  end(): void
}

/**
 * The watched addresses as the keys of a bucket of NATS, with `.` for the colon, which a key cannot have:
 * `kaspa.qq…`. Values are not read.
 */
export class WatchedBucket {
  /** Empty before the bucket is followed first. */
  readonly watch = createWatchedAddresses()

  constructor(
    private readonly bucket: string,
    private readonly network: ChainNetwork,
    private readonly logger: ChainLogger,
  ) {}

  /**
   * Makes the addresses those of the bucket, then applies its changes. Rejects with `ChainError`: `invalid-option`
   * where there is no such bucket, or its keys expire; as the sink does for the connection and the server.
   */
  async follow(connection: NatsConnection, signal: AbortSignal): Promise<FollowedBucket> {
    const { messages, pending } = await converted(() => this.#open(connection))
    let drop: (error: SessionDropped) => void = () => undefined
    const lost = new Promise<never>((_, reject) => (drop = reject))
    lost.catch(() => undefined) // raced by the session
    let resolveComplete: () => void = () => undefined
    const complete = new Promise<void>((resolve) => (resolveComplete = resolve))
    const end = (): void => messages.stop()
    const release = onAbort(signal, end)
    const read = async (): Promise<void> => {
      const state = new BucketState(this.watch, resolveComplete)
      if (pending === 0) state.complete()
      for await (const message of messages) {
        const address = this.#addressOf(message)
        if (address !== undefined) state.apply(address, !isDeletion(message))
        if (!state.isComplete && message.info.pending === 0) state.complete()
      }
      throw new Error(`The bucket "${this.bucket}" is no longer followed`)
    }
    read().catch((error: unknown) => drop(new SessionDropped(error)))
    try {
      await Promise.race([complete, lost])
    } catch (error) {
      end()
      throw error
    } finally {
      release()
    }
    return { lost, end }
  }

  /** Reads the last message of each key, then all further ones. */
  async #open(connection: NatsConnection): Promise<{ messages: ConsumerMessages; pending: number }> {
    requireServer(connection)
    const clients = await loadClients(connection, this.bucket, PROBE_TIMEOUT)
    await requireJetStream(clients)
    const { manager } = clients
    const stream = `KV_${this.bucket}`
    const { config } = await manager.streams.info(stream).catch((error: unknown) => {
      throw apiCodeOf(error) === ApiCode.streamNotFound
        ? this.#refuse('does not exist', `Create it: nats kv add ${this.bucket}`)
        : error
    })
    if (config.max_age > 0) throw this.#refuse('has keys that expire', 'Create it without --ttl.')
    const consumer = await manager.jetstream().consumers.get(stream, {
      deliver_policy: 'last_per_subject',
      filter_subjects: [`$KV.${this.bucket}.>`],
    })
    const { num_pending: pending } = await consumer.info(true)
    return { messages: await consumer.consume(READING), pending }
  }

  /** One wrong key is no reason to leave the others. */
  #addressOf(message: JsMsg): string | undefined {
    const key = message.subject.slice(`$KV.${this.bucket}.`.length)
    const address = key.replace('.', ':')
    if (isValidAddress(address, this.network)) return address
    if (!isDeletion(message))
      this.logger.warn('A key of the bucket of --addresses is no address', { key, network: this.network })
    return undefined
  }

  #refuse(words: string, hint: string): ChainError {
    return new ChainError(`The bucket "${this.bucket}" of --addresses ${words}`, {
      code: 'invalid-option',
      argument: 'addresses',
      details: '',
      hint,
    })
  }
}

/** Changes of a bucket in the set. Once it is read whole, what it does not hold leaves the set. */
class BucketState {
  readonly #found = new Set<string>()
  isComplete = false

  constructor(
    private readonly watch: WatchedAddresses,
    private readonly onComplete: () => void,
  ) {}

  apply(address: string, isWatched: boolean): void {
    if (isWatched) this.watch.add(address)
    else this.watch.delete(address)
    if (this.isComplete) return
    if (isWatched) this.#found.add(address)
    else this.#found.delete(address)
  }

  complete(): void {
    this.isComplete = true
    this.watch.delete([...this.watch].filter((address) => !this.#found.has(address)))
    this.#found.clear()
    this.onComplete()
  }
}

/** Deleted or purged by a program, or by the server. */
const isDeletion = ({ headers }: JsMsg): boolean =>
  ['DEL', 'PURGE'].includes(headers?.get('KV-Operation') ?? '') || headers?.has('Nats-Marker-Reason') === true
