import type { Observable } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import { abortable } from '../../loading/abortable.js'
import { loadClients, type JetStreamClients } from './clients.js'
import { watchConnection, type ConnectionWatch } from './connection-watch.js'
import { ensureStream, type StreamPurpose } from './ensure-stream.js'
import { Lease } from './lease.js'
import { toClient, type NatsConnection } from './nats-connection.js'
import { converted } from './nats-errors.js'
import { hasAtomicBatches, requireJetStream, requireServer } from './require-server.js'

export interface JetStreamOptions {
  /**
   * A connection of a NATS client of version 3: `connect({ maxReconnectAttempts: -1, pingInterval: 5_000 })` of
   * `@nats-io/transport-node`. It is not closed.
   */
  readonly connection: NatsConnection
  /** How long, in ms, a silent instance keeps the lease. The first instance decides. @default 10_000 */
  readonly leaseTimeout?: number | undefined
  /** How long, in ms, a response of the server may take. @default 10_000 */
  readonly timeout?: number | undefined
  /** Of a stream that is created: how many servers keep a copy. @default 1 */
  readonly replicas?: number | undefined
}

/** A stream into which no other instance delivers. */
export interface OpenedStream {
  readonly clients: JetStreamClients
  /** Whether the server stores batches whole. */
  readonly isAtomic: boolean
  /** After how many ms what is needed later is written again. */
  readonly maxAge: number
  readonly nextAttempt: () => string
  readonly heartbeat$: Observable<'begun' | 'renewed'>
  /** Rejects with `SessionDropped` once the session is lost. */
  readonly dropped: Promise<never>
  readonly close: () => Promise<void>
}

export interface StreamOpening<T> {
  readonly purpose: StreamPurpose
  /** The name of the lease. */
  readonly lease: string
  readonly onWait?: ((what: 'connection' | 'lease') => void) | undefined
  readonly signal: AbortSignal
  /** Reads where the stream ends. */
  readonly begin: (stream: OpenedStream) => Promise<T>
}

export interface StreamOpener {
  readonly leaseTimeout: number
  /** Waits for the lease, then begins. Rejects as `FeedSink.open`. */
  open<T extends { close(): Promise<void> }>(opening: StreamOpening<T>): Promise<T>
}

/** `maxAge`: of a stream that is created, how long messages are kept, in ms; 0 for ever. */
export function createStreamOpener(options: JetStreamOptions & { readonly maxAge?: number | undefined }): StreamOpener {
  const { connection, leaseTimeout = 10_000, timeout = 10_000, replicas = 1, maxAge = 0 } = options
  const settings = {
    leaseTimeout: checkNumber('leaseTimeout', leaseTimeout, 400), // servers expire entries after 100 ms at the least
    timeout: checkNumber('timeout', timeout, 100),
    replicas: checkNumber('replicas', replicas, 1),
    maxAge: checkNumber('maxAge', maxAge, 0),
  }
  const instance = crypto.randomUUID().slice(0, 13)
  let attempts = 0
  const nextAttempt = (): string => `${instance}-${++attempts}`
  return {
    leaseTimeout: settings.leaseTimeout,
    async open(opening) {
      opening.onWait?.('connection')
      requireServer(connection)
      const clients = await converted(() => loadClients(connection, instance, settings.timeout))
      const watch = watchConnection(toClient(connection))
      const session = openSession(clients, watch, opening, settings, nextAttempt)
      try {
        return await abortable(opening.signal, () => Promise.race([session, watch.lost]))
      } catch (error) {
        watch.end()
        session.then(
          (opened) => opened.close(),
          () => undefined, // the race has its error
        )
        throw error
      }
    },
  }
}

/** Waits for the lease, then begins. */
async function openSession<T>(
  clients: JetStreamClients,
  watch: ConnectionWatch,
  { purpose, lease: key, onWait, begin }: StreamOpening<T>,
  settings: Readonly<Record<'leaseTimeout' | 'replicas' | 'maxAge', number>>,
  nextAttempt: () => string,
): Promise<T> {
  return converted(async () => {
    await requireJetStream(clients)
    const lease = await Lease.acquire(clients, key, settings.leaseTimeout, (ms) => {
      onWait?.('lease')
      return watch.pause(ms)
    })
    try {
      const isAtomic = hasAtomicBatches(clients.connection)
      const { config } = await ensureStream(clients.manager, purpose, { ...settings, isAtomic })
      let isDropped = false
      const dropped = Promise.race([lease.lost, watch.lost])
      dropped.catch(() => (isDropped = true))
      return await begin({
        clients,
        nextAttempt,
        heartbeat$: lease.heartbeat$,
        dropped,
        isAtomic: isAtomic && config.allow_atomic === true,
        maxAge: config.max_age === 0 ? Infinity : config.max_age / 2_000_000,
        async close() {
          if (isDropped) lease.abandon()
          else await Promise.race([lease.release(), watch.lost]).catch(() => undefined) // it expires
          watch.end()
        },
      })
    } catch (error) {
      lease.abandon()
      throw error
    }
  })
}

function checkNumber(name: string, value: number, least: number): number {
  if (Number.isSafeInteger(value) && value >= least) return value
  throw invalidArgument(name, `"${name}" is no whole number from ${least}`)
}
