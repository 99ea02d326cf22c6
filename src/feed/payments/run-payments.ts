import { BehaviorSubject, filter, firstValueFrom, interval, merge, Subject, type Observable } from 'rxjs'
import { SessionDropped } from '../../errors/payout-error.js'
import { abort$, sleep } from '../../loading/abortable.js'
import type { ChainLogger } from '../../platform/port.js'
import type { SqlSession, Query, SqlDatabase, SqlRow } from '../../sql/session.js'
import { keepRunning } from '../run-sessions.js'
import { evaluateDue, type EvaluatorContext } from './evaluator.js'
import type { PaymentCounters } from './metrics.js'
import { MempoolPoller, type MempoolEngine } from './poll-mempool.js'
import type { PaymentTables } from './request-rows.js'
import { paymentChannel } from './schema.js'
import { deliverDue } from './webhooks/deliver.js'
import type { CheckedWebhook } from './webhooks/post.js'
import { createPoolAccess } from '../../sql/pool-access.js'
import { createPoolDatabase, type PostgresPool } from '../../sql/pool-database.js'
import { migrate } from '../../sql/migrate.js'
import { createSharedPglite, type PgliteClient } from '../../sql/locked-pglite.js'
import { MIGRATIONS } from '../postgres/schema.js'

interface RunContext {
  readonly database: PaymentDatabase
  readonly tables: PaymentTables
  readonly engine: MempoolEngine
  readonly webhook: CheckedWebhook | undefined
  readonly mempoolInterval: number
  readonly logger: ChainLogger
  readonly counters: PaymentCounters
  readonly signal: AbortSignal
  /** Called after events were written by this instance. */
  readonly onEvents: () => void
}

/** How often requests that reach a depth or expire are looked for, in ms: rows that change are announced. */
const INTERVAL = 500

/** Evaluates, delivers and looks at the mempool until the signal aborts. Each of them opens its session again. */
export async function runPayments(context: RunContext): Promise<void> {
  const end = new AbortController()
  const signal = AbortSignal.any([context.signal, end.signal])
  const parts = [evaluateOn, pollOn].map((part) => keepRunning({ ...context, signal }, part))
  try {
    await Promise.all(parts)
  } finally {
    end.abort() // where one of them rejects
    await Promise.allSettled(parts)
  }
}

async function evaluateOn(context: RunContext): Promise<void> {
  const { database, tables, webhook, signal, counters } = context
  // no other instance has this lease
  const session = await database.sessions.open({ lease: `payments ${globalThis.crypto.randomUUID()}`, signal })
  try {
    const changed$ = await session.listen(paymentChannel(tables.schema))
    const evaluation: EvaluatorContext = { session, tables, hasWebhook: webhook !== undefined }
    const written$ = new Subject<void>()
    const evaluating = eachTime(merge(changed$, interval(INTERVAL)), session, signal, async () => {
      const { events } = await evaluateDue(evaluation, signal)
      counters.events += events
      if (events === 0) return
      written$.next()
      context.onEvents()
    })
    const delivering =
      webhook === undefined
        ? undefined
        : eachTime(merge(changed$, written$, interval(INTERVAL)), session, signal, async () => {
            await deliverDue({ session, tables, webhook, counters, signal })
          })
    await Promise.all([evaluating, delivering])
  } finally {
    await session.close()
  }
}

/** Works at once and after each emission, until the signal aborts or the session is lost. */
async function eachTime(
  trigger$: Observable<unknown>,
  session: SqlSession,
  signal: AbortSignal,
  work: () => Promise<void>,
): Promise<void> {
  const pending$ = new BehaviorSubject(true)
  const subscription = trigger$.subscribe(() => pending$.next(true))
  try {
    while (!signal.aborted) {
      pending$.next(false)
      await work()
      const next = firstValueFrom(merge(pending$.pipe(filter(Boolean)), abort$(signal)))
      await Promise.race([next, session.dropped])
    }
  } finally {
    subscription.unsubscribe()
  }
}

async function pollOn(context: RunContext): Promise<void> {
  const { database, tables, engine, webhook, mempoolInterval, logger, counters, signal } = context
  const lease = `vue-chain payments mempool ${tables.schema} ${tables.network}`
  const session = await database.sessions.open({ lease, signal })
  try {
    const evaluation = { session, tables, hasWebhook: webhook !== undefined }
    const poller = new MempoolPoller(evaluation, engine, signal)
    const isEnded = (): boolean => signal.aborted
    while (!isEnded()) {
      try {
        const events = await poller.round()
        counters.events += events
        if (events > 0) context.onEvents()
      } catch (error) {
        if (isEnded() || error instanceof SessionDropped) throw error
        logger.warn('The mempool could not be read', { error }) // the next round reads it
      }
      counters.lookedAt = poller.completeSince
      await Promise.race([sleep(mempoolInterval, signal), session.dropped])
    }
  } finally {
    counters.lookedAt = null
    await session.close()
  }
}

/** Statements of callers, and sessions of workers, in tables that exist. */
export interface PaymentDatabase {
  /** Runs statements on any connection. */
  readonly runner: Pick<SqlSession, 'run' | 'transaction'>
  /** A connection that waits for a lease. */
  readonly sessions: SqlDatabase
}

/** A database transaction of a caller: a client of `pg`, or a transaction of `PGlite`. */
export interface PaymentClient {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>
}

/** How long a silent instance keeps a lease, in ms, and how long a statement may take. */
interface DatabaseTiming {
  readonly leaseTimeout: number
  readonly statementTimeout: number
}

/** The schema is brought to the newest version at the first use, as the feed does. */
export function openPool(pool: PostgresPool, schema: string, timing: DatabaseTiming): PaymentDatabase {
  return prepared(createPoolAccess(pool, timing.leaseTimeout), createPoolDatabase(pool, timing), schema)
}

/** An instance of PGlite, which feed and payments share. */
export function openPglite(client: PgliteClient, schema: string): PaymentDatabase {
  const sessions = createSharedPglite(client)
  let session: Promise<SqlSession> | undefined
  const open = (): Promise<SqlSession> => {
    session ??= sessions.open({ lease: '', signal: new AbortController().signal })
    return session
  }
  const runner = {
    run: async <T>(work: (query: Query) => Promise<T>) => (await open()).run(work),
    transaction: async <T>(work: (query: Query) => Promise<T>) => (await open()).transaction(work),
  }
  return prepared(runner, sessions, schema)
}

function prepared(runner: PaymentDatabase['runner'], sessions: SqlDatabase, schema: string): PaymentDatabase {
  let ready: Promise<void> | undefined
  const prepare = (): Promise<void> => {
    ready ??= migrate(runner, schema, MIGRATIONS).catch((error: unknown) => {
      ready = undefined // it is tried again
      throw error
    })
    return ready
  }
  return {
    runner: {
      run: (work) => prepare().then(() => runner.run(work)),
      transaction: (work) => prepare().then(() => runner.transaction(work)),
    },
    sessions: { open: (options) => prepare().then(() => sessions.open(options)) },
  }
}

/** The statements of a caller's transaction. */
export const queryOf =
  (client: PaymentClient): Query =>
  async (text, values = []) =>
    (await client.query(text, [...values])).rows as readonly SqlRow[] // rows are records

/** A transaction of ours as other modules take one. */
export const clientOf = (query: Query): PaymentClient => ({
  // the parameters of our statements are text
  query: async (text, values = []) => ({ rows: await query(text, values as Parameters<Query>[1]) }),
})
