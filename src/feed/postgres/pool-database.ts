import { Subject, type Observable } from 'rxjs'
import { SessionDropped } from '../sink.js'
import { untilAborted } from '../until-aborted.js'
import { createExclusive } from './exclusive.js'
import { toSinkError } from './sql-errors.js'
import { MARK, type Query, type SqlDatabase, type SqlOpenOptions, type SqlRow, type SqlSession } from './sql-session.js'

/** A connection of `pg`, as far as it is used. */
export interface PostgresClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly SqlRow[] }>
  on(event: 'error' | 'end', callback: (error?: Error) => void): unknown
  on(event: 'notification', callback: (message: { readonly channel: string }) => void): unknown
  release(destroy?: boolean): void
}

/** A `Pool` of the package `pg`, in a session mode: the lease and `LISTEN` belong to one connection. */
export interface PostgresPool {
  connect(): Promise<PostgresClient>
}

/** How long a silent holder of the lease keeps it, in ms. */
export interface LeaseTiming {
  readonly leaseTimeout: number
  /** How long a statement may take before its connection is closed, in ms. */
  readonly statementTimeout: number
}

/** Connections of a pool. The lease is an advisory lock, which the server releases with the connection. */
export const createPoolDatabase = (pool: PostgresPool, timing: LeaseTiming): SqlDatabase => ({
  async open({ lease, signal }: SqlOpenOptions): Promise<SqlSession> {
    const client = await connect(pool, signal)
    const session = new PoolSession(client, timing)
    try {
      await waitForLease(session, lease, timing, signal)
      return session
    } catch (error) {
      session.destroy()
      throw signal.aborted ? signal.reason : toSinkError(error)
    }
  },
})

async function connect(pool: PostgresPool, signal: AbortSignal): Promise<PostgresClient> {
  const connecting = pool.connect()
  const ended = untilAborted(signal)
  try {
    return await Promise.race([connecting, ended.promise])
  } catch (error) {
    connecting.then(
      (client) => client.release(true),
      () => undefined, // the race has its error
    )
    throw signal.aborted ? signal.reason : toSinkError(error)
  } finally {
    ended.end()
  }
}

/**
 * The server ends a session that is silent for `leaseTimeout`, so that a stopped or cut-off holder loses the lease. A session that
 * waits for the lock is not silent.
 */
async function waitForLease(
  session: PoolSession,
  lease: string,
  { leaseTimeout }: LeaseTiming,
  signal: AbortSignal,
): Promise<void> {
  const ended = untilAborted(signal)
  const settings = [
    ['statement_timeout', 0],
    ['lock_timeout', 0],
    ['idle_session_timeout', leaseTimeout],
    ['idle_in_transaction_session_timeout', leaseTimeout],
    ['client_connection_check_interval', leaseTimeout],
    [MARK, 'on'],
  ] as const
  try {
    const locked = session.run(async (query) => {
      for (const [name, value] of settings) await query('select set_config($1, $2, false)', [name, String(value)])
      await session.untimed('select pg_advisory_lock(hashtextextended($1, 0))', [lease])
    })
    locked.catch(() => undefined) // where the signal came first
    await Promise.race([locked, ended.promise, session.dropped])
  } finally {
    ended.end()
  }
  session.startHeartbeat(leaseTimeout / 4)
}

class PoolSession implements SqlSession {
  readonly dropped: Promise<never>
  readonly #notifications = new Subject<string>()
  readonly #exclusive = createExclusive()
  #heartbeat: NodeJS.Timeout | undefined
  #failure: SessionDropped | undefined
  #reject: (error: SessionDropped) => void = () => undefined
  #isReleased = false

  constructor(
    private readonly client: PostgresClient,
    private readonly timing: LeaseTiming,
  ) {
    this.dropped = new Promise((_, reject) => (this.#reject = reject))
    this.dropped.catch(() => undefined) // reported by `run` as well
    client.on('error', (error) => this.#fail(error))
    client.on('end', () => this.#fail(new Error('The connection has ended')))
    client.on('notification', ({ channel }) => this.#notifications.next(channel))
  }

  run<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#exclusive(async () => {
      try {
        return await work(this.#query)
      } catch (error) {
        const sinkError = toSinkError(error)
        if (sinkError instanceof SessionDropped) this.#fail(sinkError)
        throw sinkError
      }
    })
  }

  transaction<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.run((query) => inTransaction(query, work))
  }

  async listen(channel: string): Promise<Observable<void>> {
    const notified$ = new Subject<void>()
    this.#notifications.subscribe((name) => {
      if (name === channel) notified$.next()
    })
    await this.run((query) => query(`listen "${channel}"`))
    return notified$
  }

  startHeartbeat(interval: number): void {
    this.#heartbeat = setInterval(() => {
      this.run((query) => query('select 1')).catch(() => undefined) // the session is lost then
    }, interval)
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    if (this.#failure === undefined)
      await this.run((query) => query('select pg_advisory_unlock_all()')).catch(() => undefined) // the server releases it
    this.destroy()
  }

  destroy(): void {
    clearInterval(this.#heartbeat)
    if (this.#isReleased) return
    this.#isReleased = true
    this.client.release(true) // neither settings nor lock go back into the pool
  }

  /** Runs a statement without time limit. */
  async untimed(text: string, values: readonly string[]): Promise<void> {
    await this.client.query(text, [...values])
  }

  readonly #query: Query = async (text, values = []) => {
    if (this.#failure !== undefined) throw this.#failure
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_, reject) => {
      const { statementTimeout } = this.timing
      const fail = (): void => reject(new SessionDropped(new Error(`No response within ${statementTimeout} ms`)))
      timer = setTimeout(fail, statementTimeout)
    })
    try {
      const { rows } = await Promise.race([this.client.query(text, [...values]), late]) // ends with the client at the latest
      return rows
    } finally {
      clearTimeout(timer)
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = error instanceof SessionDropped ? error : new SessionDropped(error)
    this.destroy()
    this.#reject(this.#failure)
  }
}

async function inTransaction<T>(query: Query, work: (query: Query) => Promise<T>): Promise<T> {
  await query('begin isolation level read committed')
  try {
    const result = await work(query)
    await query('commit')
    return result
  } catch (error) {
    await query('rollback').catch(() => undefined) // the first error says why
    throw error
  }
}
