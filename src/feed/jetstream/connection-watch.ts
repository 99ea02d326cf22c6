import type { NatsConnection as ClientConnection, QueuedIterator, Status } from '@nats-io/transport-node'
import { SessionDropped } from '../../errors/payout-error.js'
import { abortable, sleep } from '../../loading/abortable.js'

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
