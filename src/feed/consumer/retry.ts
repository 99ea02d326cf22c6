import { toNatsError } from '../jetstream/nats-errors.js'
import type { NatsConnection } from '../jetstream/nats-connection.js'
import { closedConnection } from '../jetstream/require-server.js'
import { SessionDropped } from '../../errors/payout-error.js'
import { sleep } from '../../loading/abortable.js'

/** Between two attempts, in ms. */
const PAUSE = 250

/**
 * Repeats requests while the server, or the stream, is not there. Rejects where the connection was closed, or the
 * signal has aborted.
 */
export async function retried<T>(connection: NatsConnection, signal: AbortSignal, work: () => Promise<T>): Promise<T> {
  for (;;) {
    signal.throwIfAborted()
    try {
      return await work()
    } catch (thrown) {
      if (connection.isClosed()) throw closedConnection()
      const error = toNatsError(thrown)
      if (!(error instanceof SessionDropped)) throw error
    }
    await sleep(PAUSE, signal)
  }
}
