import type { Observable } from 'rxjs'
import { invalidArgument } from '../../errors/chain-error.js'
import { abortable } from '../../loading/abortable.js'
import {
  loadClients,
  type JetStreamClients,
  watchConnection,
  type ConnectionWatch,
  toClient,
  type NatsConnection,
} from './nats-connection.js'
import { ensureStream, type StreamPurpose } from './ensure-stream.js'
import { Lease } from './lease.js'
import { converted, hasAtomicBatches, requireJetStream, requireServer } from './nats-server.js'

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
  const takeInstance = createInstances()
  return {
    leaseTimeout: settings.leaseTimeout,
    async open(opening) {
      opening.onWait?.('connection')
      requireServer(connection)
      const instance = takeInstance()
      try {
        const clients = await converted(() => loadClients(connection, instance.id, settings.timeout))
        return await openWatched(clients, opening, settings, instance)
      } catch (error) {
        instance.release()
        throw error
      }
    },
  }
}

type StreamOptions = Readonly<Record<'leaseTimeout' | 'replicas' | 'maxAge', number>>

/** The name of a session, in the lease and in the ids of batches. */
interface Instance {
  readonly id: string
  readonly nextAttempt: () => string
  /** Lets the next session have it. */
  readonly release: () => void
}

/**
 * Sessions at the same time, as of two runs with one sink, are different instances: the same one would take the lease
 * from itself. A session after one that was interrupted is the same instance: it takes its lease again, and knows the
 * batches that it has stored.
 */
function createInstances(): () => Instance {
  const free: Pick<Instance, 'id' | 'nextAttempt'>[] = []
  const create = (): Pick<Instance, 'id' | 'nextAttempt'> => {
    const id = crypto.randomUUID().slice(0, 13)
    let attempts = 0
    return { id, nextAttempt: () => `${id}-${++attempts}` }
  }
  return () => {
    const instance = free.pop() ?? create()
    let isTaken = true
    return {
      ...instance,
      release() {
        if (isTaken) free.push(instance)
        isTaken = false
      },
    }
  }
}

/** Opens a session, unless the connection is interrupted before, or the signal aborts. */
async function openWatched<T extends { close(): Promise<void> }>(
  clients: JetStreamClients,
  opening: StreamOpening<T>,
  settings: StreamOptions,
  instance: Instance,
): Promise<T> {
  const watch = watchConnection(toClient(clients.connection))
  const session = openSession(clients, watch, opening, settings, instance)
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
}

/** Waits for the lease, then begins. */
async function openSession<T>(
  clients: JetStreamClients,
  watch: ConnectionWatch,
  { purpose, lease: key, onWait, begin }: StreamOpening<T>,
  settings: StreamOptions,
  { nextAttempt, release }: Instance,
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
          release()
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
