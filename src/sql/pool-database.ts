import { Subject, type Observable } from 'rxjs'
import { SessionDropped } from '../errors/payout-error.js'
import { abortable, within } from '../loading/abortable.js'
import { tryLock } from './advisory-lock.js'
import {
  createExclusive,
  inTransaction,
  type Query,
  type SqlDatabase,
  type SqlOpenOptions,
  type SqlRow,
  type SqlSession,
  type SqlValue,
  toSinkError,
} from './session.js'

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
  async open(options: SqlOpenOptions): Promise<SqlSession> {
    const { onWait, signal } = options
    for (;;) {
      onWait?.('connection')
      const session = new PoolSession(await connect(pool, signal, timing.leaseTimeout / 2), timing)
      try {
        await waitForLease(session, options, timing)
        return session
      } catch (error) {
        session.destroy()
        if (signal.aborted) throw signal.reason
        const sinkError = toSinkError(error)
        if (!(sinkError instanceof SessionDropped && session.hasWaited)) throw sinkError
      } // the connection was lost while it waited: another one takes its place
    }
  },
})

/**
 * A connection of the pool. Rejects with `SessionDropped` after `limit` ms: a pool that is in use, or a host that is
 * silent, never responds.
 */
async function connect(pool: PostgresPool, signal: AbortSignal, limit: number): Promise<PostgresClient> {
  const connecting = pool.connect()
  const late = (): SessionDropped => new SessionDropped(new Error(`No connection within ${limit} ms`))
  try {
    return await within(
      limit,
      abortable(signal, () => connecting),
      late,
    )
  } catch (error) {
    connecting.then(
      (client) => client.release(true),
      () => undefined, // the race has its error
    )
    throw signal.aborted ? signal.reason : toSinkError(error)
  }
}

/** How often the lease is renewed, or looked at, within the time in which the server ends a silent session. */
const RENEWALS = 4

/**
 * The server ends a session that is silent for `leaseTimeout`, so that a stopped or cut-off holder loses the lease. An
 * instance that waits polls the lock: a statement that blocks would never return on a connection that a router has
 * forgotten. It takes over within twice `leaseTimeout`: a quarter until the next poll, the whole until it is aborted,
 * and half for another connection.
 */
async function waitForLease(
  session: PoolSession,
  { lease, mark, onWait, signal }: SqlOpenOptions,
  { leaseTimeout }: LeaseTiming,
): Promise<void> {
  const settings = [
    ['statement_timeout', 0],
    ['lock_timeout', 0],
    ['idle_session_timeout', leaseTimeout],
    ['idle_in_transaction_session_timeout', leaseTimeout],
    ['client_connection_check_interval', leaseTimeout],
    ['default_transaction_isolation', 'read committed'], // of a statement that is a transaction by itself
    ['tcp_keepalives_idle', Math.ceil(leaseTimeout / 1_000)], // in seconds
    ...(mark === undefined ? [] : [[mark, 'on'] as const]),
  ] as const
  const untilEnd = <T>(work: () => Promise<T>): Promise<T> =>
    abortable(signal, () => Promise.race([work(), session.dropped]))
  await untilEnd(() =>
    session.run(async (query) => {
      for (const [name, value] of settings) await query('select set_config($1, $2, false)', [name, String(value)])
    }),
  )
  while (!(await untilEnd(() => session.tryLock(lease)))) {
    onWait?.('lease')
    await untilEnd(() => session.pause(leaseTimeout / RENEWALS))
  }
  session.startHeartbeat(leaseTimeout / RENEWALS)
}

class PoolSession implements SqlSession {
  readonly dropped: Promise<never>
  readonly heartbeat$ = new Subject<'begun' | 'renewed'>()
  readonly #notifications = new Subject<string>()
  readonly #exclusive = createExclusive()
  #heartbeat: NodeJS.Timeout | undefined
  #pause: NodeJS.Timeout | undefined
  /** How long a statement may take, in ms: not longer than the lease while it is waited for. */
  #timeout: number
  /** Whether another instance was seen to have the lease. */
  hasWaited = false
  #failure: SessionDropped | undefined
  #reject: (error: SessionDropped) => void = () => undefined
  #isReleased = false

  constructor(
    private readonly client: PostgresClient,
    private readonly timing: LeaseTiming,
  ) {
    this.#timeout = Math.min(timing.leaseTimeout, timing.statementTimeout)
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

  transaction<T>(work: (query: Query) => Promise<T>, timeout?: number): Promise<T> {
    const query: Query = (text, values) => this.#send(text, values, timeout ?? this.#timeout)
    return this.run(() => inTransaction(query, work))
  }

  async listen(channel: string): Promise<Observable<void>> {
    const notified$ = new Subject<void>()
    this.#notifications.subscribe((name) => {
      if (name === channel) notified$.next()
    })
    await this.run((query) => query(`listen "${channel}"`))
    return notified$
  }

  /** Takes an advisory lock, unless another session has it. */
  async tryLock(name: string): Promise<boolean> {
    const isLocked = await this.run((query) => tryLock(query, name))
    if (!isLocked) this.hasWaited = true
    return isLocked
  }

  /** Resolves after a time in ms; never after the end of the session. */
  pause(ms: number): Promise<void> {
    return new Promise((resolve) => (this.#pause = setTimeout(resolve, ms)))
  }

  startHeartbeat(interval: number): void {
    this.#timeout = this.timing.statementTimeout
    this.#heartbeat = setInterval(() => {
      this.heartbeat$.next('begun')
      this.run((query) => query('select 1')).then(
        () => this.heartbeat$.next('renewed'),
        () => undefined, // the session is lost then
      )
    }, interval)
  }

  async close(): Promise<void> {
    clearInterval(this.#heartbeat)
    if (this.#failure === undefined)
      // the server releases it
      await this.run((query) => query('select pg_advisory_unlock_all()')).catch(() => undefined)
    this.destroy()
  }

  destroy(): void {
    clearInterval(this.#heartbeat)
    clearTimeout(this.#pause)
    if (this.#isReleased) return
    this.#isReleased = true
    this.client.release(true) // neither settings nor lock go back into the pool
  }

  readonly #query: Query = (text, values) => this.#send(text, values, this.#timeout)

  async #send(text: string, values: readonly SqlValue[] = [], limit: number): Promise<readonly SqlRow[]> {
    if (this.#failure !== undefined) throw this.#failure
    const late = (): SessionDropped => new SessionDropped(new Error(`No response within ${limit} ms`))
    // ends with the client at the latest
    const { rows } = await within(limit, this.client.query(text, [...values]), late)
    return rows
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return
    this.#failure = error instanceof SessionDropped ? error : new SessionDropped(error)
    this.destroy()
    this.#reject(this.#failure)
  }
}
