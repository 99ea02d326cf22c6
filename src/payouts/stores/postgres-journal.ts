import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { loadCode } from '../../loading/load-code.js'
import { createPoolAccess, createOwnPool } from '../../sql/pool-access.js'
import type { PostgresPool } from '../../sql/pool-database.js'
import { type SqlDatabase, type SqlSession, createTurns } from '../../sql/session.js'
import { createSqlJournal, type SqlJournal, type SqlSharing } from './sql-journal.js'
import { redact } from '../../errors/redact.js'
import { createLockedPglite, toPgliteFolder, createSharedPglite, type PgliteClient } from '../../sql/locked-pglite.js'

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

const POSTGRES_NAMES = [
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
  refuseUnknown(options, POSTGRES_NAMES)
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

export interface PgliteJournalOptions {
  /**
   * The folder of the database, which is created. A lock file beside it keeps other processes out. Or an instance of
   * `PGlite`, which is not closed: it has opened its folder before the first call takes the lock.
   */
  readonly database: string | PgliteClient
  /** The schema of the tables. @default 'payouts' */
  readonly schema?: string | undefined
}

const PGLITE_NAMES = ['database', 'schema'] satisfies (keyof PgliteJournalOptions)[]

/** A journal in PGlite. */
export interface PgliteJournal extends SqlJournal {
  /** Lets another process use the folder, and closes the database where the journal has opened it. After `run()`. */
  close(): Promise<void>
}

/**
 * A journal in the same tables of PGlite: PostgreSQL inside this process. Its methods reject with `ChainError`
 * (`failed`) while another process uses the folder. Throws `ChainError` (`invalid-argument`).
 */
export function pgliteJournal(options: PgliteJournalOptions): PgliteJournal {
  refuseUnknown(options, PGLITE_NAMES)
  const locked = createLockedPglite(toDatabase(options.database))
  const shared: SqlDatabase = { open: async (settings) => createSharedPglite(await locked.open()).open(settings) }
  const takeLease = createLeases()
  const unlimited = new AbortController().signal
  let session: Promise<SqlSession> | undefined
  const open = async (): Promise<SqlSession> => {
    session ??= shared.open({ lease: '', signal: unlimited })
    try {
      return await session
    } catch (error) {
      session = undefined // another process has the folder: it is tried again
      throw error
    }
  }
  const journal = createSqlJournal(
    {
      run: async (work) => (await open()).run(work),
      transaction: async (work) => (await open()).transaction(work),
    },
    withLeases(shared, takeLease),
    {
      database: typeof options.database === 'string' ? undefined : options.database,
      takeLease: (_, lease, { signal, onWait }) => takeLease(lease, signal, onWait),
    },
    options.schema,
  )
  return {
    ...journal,
    async close() {
      session = undefined
      await locked.close()
    },
  }
}

function toDatabase(database: string | PgliteClient): string | PgliteClient {
  if (typeof database !== 'string') return database
  const folder = toPgliteFolder(database)
  if (folder !== undefined) return folder
  throw invalidArgument('database', `"${redact(database)}" is no path`, 'Pass a path, or postgresJournal a pool.')
}

type TakeLease = (lease: string, ...waiting: Parameters<ReturnType<typeof createTurns>>) => Promise<() => void>

/** The instance belongs to one process, so that a lease is a queue of its sessions. */
function createLeases(): TakeLease {
  const leases = new Map<string, ReturnType<typeof createTurns>>()
  return (lease, ...waiting) => {
    const takeTurn = leases.get(lease) ?? createTurns()
    leases.set(lease, takeTurn)
    return takeTurn(...waiting)
  }
}

const withLeases = (database: SqlDatabase, takeLease: TakeLease): SqlDatabase => ({
  async open(options) {
    const release = await takeLease(options.lease, options.signal)
    try {
      return withRelease(await database.open(options), release)
    } catch (error) {
      release()
      throw error
    }
  },
})

const withRelease = (session: SqlSession, release: () => void): SqlSession => ({
  ...session,
  close: async () => {
    await session.close()
    release()
  },
})
