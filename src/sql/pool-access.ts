import { SessionDropped } from '../errors/payout-error.js'
import { toSinkError, inTransaction, type Query, type SqlSession } from './session.js'
import type { PostgresClient, PostgresPool } from './pool-database.js'
import type pg from 'pg'
import { loadCode, onceLoaded } from '../loading/load-code.js'

/**
 * Connections whose failures are handled, by whatever shares their pool: an `error` event without a handler ends the
 * process.
 */
const handled = new WeakSet<PostgresClient>()

/**
 * Statements on any connection of a pool, without the lease. Rejects as a session does. The server ends a transaction
 * that is silent for `leaseTimeout` ms: a process that was stopped within one would lock its rows without end.
 */
export function createPoolAccess(pool: PostgresPool, leaseTimeout: number): Pick<SqlSession, 'run' | 'transaction'> {
  const open = async (): Promise<PostgresClient> => {
    const client = await connect(pool)
    if (!handled.has(client)) client.on('error', () => undefined) // the statement rejects
    handled.add(client)
    return client
  }
  return {
    run: (work) => withClient(open, work),
    transaction: (work) =>
      withClient(open, (query) =>
        inTransaction(query, async (inner) => {
          await inner(`set local idle_in_transaction_session_timeout = ${leaseTimeout}`)
          return work(inner)
        }),
      ),
  }
}

async function withClient<T>(open: () => Promise<PostgresClient>, work: (query: Query) => Promise<T>): Promise<T> {
  const client = await open()
  let isBroken = false
  try {
    return await work(async (text, values = []) => (await client.query(text, [...values])).rows)
  } catch (error) {
    const known = toSinkError(error)
    isBroken = known instanceof SessionDropped
    throw known
  } finally {
    client.release(isBroken)
  }
}

async function connect(pool: PostgresPool): Promise<PostgresClient> {
  try {
    return await pool.connect()
  } catch (error) {
    throw toSinkError(error)
  }
}

/** A pool that is opened by the first connection. */
export interface OwnPool extends PostgresPool {
  /** Resolves once its connections are closed. */
  readonly close: () => Promise<void>
}

/** Connections: the lease has one, callers share the others. */
const MAX = 10

/** A pool of a URL. `leaseTimeout`: how long a silent instance keeps its lease, in ms. */
export function createOwnPool(url: string, leaseTimeout: number): OwnPool {
  let opened: (() => Promise<pg.Pool>) | undefined
  const open = async (): Promise<pg.Pool> => {
    const { openPool } = await loadCode(() => import('./open-pool.js'))
    return openPool({ url, max: MAX, leaseTimeout, onIdleError: () => undefined })
  }
  return {
    connect: async () => (await (opened ??= onceLoaded(open))()).connect(),
    async close() {
      const closing = opened
      opened = undefined
      await (await closing?.())?.end()
    },
  }
}
