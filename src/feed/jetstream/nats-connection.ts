import type { NatsConnection as ClientConnection, QueuedIterator, Status, MsgHdrs } from '@nats-io/transport-node'
import { SessionDropped } from '../../errors/payout-error.js'
import { abortable, sleep } from '../../loading/abortable.js'
import type { JetStreamManager } from '@nats-io/jetstream'
import { loadPackage } from '../../loading/load-code.js'

/**
 * A connection of a NATS client of version 3: `connect` of `@nats-io/transport-node`, `wsconnect` of
 * `@nats-io/nats-core`. The parts that are checked; the packages of JetStream use all of it.
 */
export interface NatsConnection {
  readonly info?: { readonly version: string } | undefined
  isClosed(): boolean
  flush(): Promise<void>
}

/** The connection as the type of the client's packages, which are optional: the public type does not depend on them. */
export const toClient = (connection: NatsConnection): ClientConnection => connection as ClientConnection

/** The life of a connection to a server, until it is interrupted. */
export interface ConnectionWatch {
  /** Rejects with `SessionDropped` when the connection is interrupted, also where the client connects again. */
  readonly lost: Promise<never>
  /**
   * Resolves after a time in ms; rejects with `SessionDropped` after the connection is lost, or the watch has ended.
   */
  readonly pause: (ms: number) => Promise<void>
  end(): void
}

/** Watches a connection. What was published and not acknowledged when it is interrupted may be stored or not. */
export function watchConnection(connection: ClientConnection): ConnectionWatch {
  const statuses = connection.status() as QueuedIterator<Status> // an interface of the client that `stop` belongs to
  const ended = new AbortController()
  let drop: (error: SessionDropped) => void = () => undefined
  const lost = new Promise<never>((_, reject) => (drop = reject))
  lost.catch(() => undefined) // raced by those who need it
  const watch = async (): Promise<void> => {
    for await (const { type } of statuses) if (type === 'disconnect' || type === 'staleConnection') break
    if (ended.signal.aborted) return
    drop(new SessionDropped(new Error('The connection to the NATS server was interrupted')))
    ended.abort()
  }
  void watch()
  return {
    lost,
    pause: (ms) => abortable(ended.signal, () => sleep(ms, ended.signal), waitEnded),
    end() {
      ended.abort()
      statuses.stop()
    },
  }
}

const waitEnded = (): SessionDropped => new SessionDropped(new Error('The wait for the lease has ended'))

/** What `npm i` takes: both are needed. */
export const PACKAGES = '@nats-io/transport-node @nats-io/jetstream'

/** What a sink needs to talk to JetStream. */
export interface JetStreamClients {
  readonly connection: ClientConnection
  readonly manager: JetStreamManager
  /** A manager whose requests may take as many ms. */
  readonly createManager: (timeout: number) => Promise<JetStreamManager>
  readonly createHeaders: () => MsgHdrs
  /** Names this sink among all instances. */
  readonly instance: string
  /** How long a response may take, in ms. */
  readonly timeout: number
}

/** Loads the packages of the client. Rejects with `ChainError` (`package-missing`). */
export async function loadClients(
  connection: NatsConnection,
  instance: string,
  timeout: number,
): Promise<JetStreamClients> {
  const { headers } = await loadPackage('@nats-io/transport-node', () => import('@nats-io/transport-node'), PACKAGES)
  const { jetstreamManager } = await loadPackage('@nats-io/jetstream', () => import('@nats-io/jetstream'), PACKAGES)
  const client = toClient(connection)
  const createManager = (limit: number) => jetstreamManager(client, { timeout: limit, checkAPI: false })
  const manager = await createManager(timeout)
  return { connection: client, manager, createManager, createHeaders: () => headers(), instance, timeout }
}
