import { invalidArgument } from '../../errors/chain-error.js'
import { refuseUnknown } from '../../errors/unknown-option.js'
import type { ChainNetwork } from '../../model/network.js'
import { type FeedSession, type FeedSink } from '../sink.js'
import { abortable } from '../../loading/abortable.js'
import { loadClients, type JetStreamClients } from './clients.js'
import { watchConnection, type ConnectionWatch } from './connection-watch.js'
import { ensureStream } from './ensure-stream.js'
import { createSession } from './jetstream-session.js'
import { Lease } from './lease.js'
import { toClient, type NatsConnection } from './nats-connection.js'
import { converted } from './nats-errors.js'
import { hasAtomicBatches, requireJetStream, requireServer } from './require-server.js'
import { readPosition } from './stored-position.js'

export interface JetStreamSinkOptions {
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
    hasWatchTable: false,
    leaseTimeout: settings.leaseTimeout,
    async open({ network, onWait = () => undefined, signal }) {
      onWait('connection')
      requireServer(connection)
      const clients = await converted(() => loadClients(connection, instance, settings.timeout))
      const watch = watchConnection(toClient(connection))
      const opening = openSession(clients, { network, watch, onWait, settings, nextAttempt })
      try {
        return await abortable(signal, () => Promise.race([opening, watch.lost]))
      } catch (error) {
        watch.end()
        opening.then(
          (session) => session.close(),
          () => undefined, // the race has its error
        )
        throw error
      }
    },
  }
}

interface Opening {
  readonly network: ChainNetwork
  readonly watch: ConnectionWatch
  readonly onWait: (what: 'lease') => void
  readonly settings: Readonly<Record<'leaseTimeout' | 'replicas' | 'maxAge', number>>
  readonly nextAttempt: () => string
}

/** Waits for the lease, then reads where the stream ends. */
async function openSession(clients: JetStreamClients, opening: Opening): Promise<FeedSession> {
  const { network, watch, onWait, settings, nextAttempt } = opening
  return converted(async () => {
    await requireJetStream(clients)
    const lease = await Lease.acquire(clients, network, settings.leaseTimeout, (ms) => {
      onWait('lease')
      return watch.pause(ms)
    })
    try {
      const isAtomic = hasAtomicBatches(clients.connection)
      const { config } = await ensureStream(clients.manager, network, { ...settings, isAtomic })
      const stored = await readPosition(clients.manager, network)
      let isDropped = false
      const dropped = Promise.race([lease.lost, watch.lost])
      dropped.catch(() => (isDropped = true))
      return createSession(stored, {
        clients,
        network,
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
