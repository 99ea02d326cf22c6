import { createPoolAccess } from '../../sql/pool-access.js'
import { createPoolDatabase, type PostgresPool } from '../../sql/pool-database.js'
import { migrate } from '../../sql/migrate.js'
import type { Query, SqlDatabase, SqlRow, SqlSession } from '../../sql/session.js'
import { createSharedPglite, type PgliteClient } from '../../sql/shared-pglite.js'
import { MIGRATIONS } from '../postgres/schema.js'

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
export interface DatabaseTiming {
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
