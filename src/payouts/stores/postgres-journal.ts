import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { loadCode } from '../../loading/load-code.js'
import { createPoolAccess } from '../../sql/pool-access.js'
import type { PostgresPool } from '../../sql/pool-database.js'
import { createOwnPool } from '../../sql/own-pool.js'
import type { SqlDatabase } from '../../sql/session.js'
import { createSqlJournal, type SqlJournal, type SqlSharing } from './sql-journal.js'

export interface PostgresJournalSettings {
  /** The schema of the tables. @default 'payouts' */
  readonly schema?: string | undefined
  /**
   * How long, in ms, a silent instance keeps the lease: one that was stopped, or cut off from the database. @default
   * 10_000
   */
  readonly leaseTimeout?: number | undefined
  /** How long, in ms, a statement may take before its connection is closed. @default 60_000 */
  readonly statementTimeout?: number | undefined
}

export type PostgresJournalOptions = PostgresJournalSettings &
  (
    | {
        /** A `Pool` of the package `pg`. One of its connections is used as long as the queue runs. */
        readonly pool: PostgresPool
        readonly database?: undefined
      }
    | {
        /** A URL of the database, in place of a pool of the program: the journal opens one by the package `pg`. */
        readonly database: string
        readonly pool?: undefined
      }
  )

/** A journal in PostgreSQL. */
export interface PostgresJournal extends SqlJournal {
  /** Closes the connections that the journal has opened. After `run()`. */
  close(): Promise<void>
}

const NAMES = [
  'pool',
  'database',
  'schema',
  'leaseTimeout',
  'statementTimeout',
] satisfies (keyof PostgresJournalOptions)[]

/**
 * A journal in tables of PostgreSQL 15 or later. Several instances may use it: one works, the others stand by. Who can
 * write these tables can pay: give them a role of their own. Throws `ChainError` (`invalid-argument`).
 */
export function postgresJournal(options: PostgresJournalOptions): PostgresJournal {
  refuseUnknown(options, NAMES)
  const { schema, leaseTimeout = 10_000, statementTimeout = 60_000 } = options
  for (const [name, value] of Object.entries({ leaseTimeout, statementTimeout }))
    if (!Number.isSafeInteger(value) || value < 100)
      throw invalidArgument(name, `"${name}" is no number of milliseconds from 100`)
  const { pool, close } = openedBy(options, leaseTimeout)
  const database: SqlDatabase = {
    async open(settings) {
      const { createPoolDatabase } = await loadCode(() => import('../../sql/pool-database.js'))
      return createPoolDatabase(pool, { leaseTimeout, statementTimeout }).open(settings)
    },
  }
  const sharing: SqlSharing = {
    database: options.pool,
    async takeLease(session, lease, waiting) {
      const { waitForLock } = await loadCode(() => import('../../sql/advisory-lock.js'))
      await waitForLock(session, lease, { ...waiting, interval: leaseTimeout / 4 })
      return undefined
    },
  }
  return { ...createSqlJournal(createPoolAccess(pool, leaseTimeout), database, sharing, schema), close }
}

/** The pool of the program, which stays open, or one of the journal. */
function openedBy({ pool, database }: PostgresJournalOptions, leaseTimeout: number) {
  if (pool !== undefined) return { pool, close: () => Promise.resolve() }
  if (!/^postgres(ql)?:\/\//i.test(database) || !URL.canParse(database))
    throw invalidArgument('database', '"database" is no URL of PostgreSQL', 'Such as postgres://host/name.')
  const own = createOwnPool(database, leaseTimeout)
  return { pool: own, close: own.close }
}
