import { refuseUnknown } from '../../errors/chain-error.js'
import { createPoolAccess } from '../../sql/pool-access.js'
import type { PostgresPool } from '../../sql/pool-database.js'
import { createSharedPglite, type PgliteClient } from '../../sql/locked-pglite.js'
import type { SqlSession } from '../../sql/session.js'
import { createSqlStore } from './sql-store.js'
import type { X402Store } from './store.js'

export interface PostgresX402StoreOptions {
  /** A `Pool` of the package `pg`. */
  readonly pool: PostgresPool
  /** The schema of the tables. @default 'x402' */
  readonly schema?: string | undefined
  /**
   * How long, in ms, a silent transaction keeps its rows locked: one of a process that was stopped. @default 10_000
   */
  readonly leaseTimeout?: number | undefined
}

export interface PgliteX402StoreOptions {
  /** An instance of `PGlite`, which is not closed. */
  readonly database: PgliteClient
  /** The schema of the tables. @default 'x402' */
  readonly schema?: string | undefined
}

/**
 * Payments in tables of PostgreSQL 15 or later, for any number of instances. Who can write these tables decides what
 * is served: give them a role of their own.
 */
export function createPostgresX402Store(options: PostgresX402StoreOptions): X402Store {
  refuseUnknown(options, ['pool', 'schema', 'leaseTimeout'] satisfies (keyof PostgresX402StoreOptions)[])
  const { pool, schema = 'x402', leaseTimeout = 10_000 } = options
  return createSqlStore(createPoolAccess(pool, leaseTimeout), schema)
}

/** The same tables in PGlite: PostgreSQL inside this process, for one instance. */
export function createPgliteX402Store(options: PgliteX402StoreOptions): X402Store {
  refuseUnknown(options, ['database', 'schema'] satisfies (keyof PgliteX402StoreOptions)[])
  const { database, schema = 'x402' } = options
  const { signal } = new AbortController() // never aborted: the instance belongs to the program
  const sessions = createSharedPglite(database)
  let opened: Promise<SqlSession> | undefined
  const open = (): Promise<SqlSession> => (opened ??= sessions.open({ lease: '', signal }))
  return createSqlStore(
    {
      run: async (work) => (await open()).run(work),
      transaction: async (work) => (await open()).transaction(work),
    },
    schema,
  )
}
