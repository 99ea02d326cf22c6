import { invalidArgument, refuseUnknown } from '../../errors/chain-error.js'
import { redact } from '../../errors/redact.js'
import { createLockedPglite } from '../../sql/locked-pglite.js'
import { toPgliteFolder } from '../../sql/pglite-folder.js'
import { createSharedPglite, type PgliteClient } from '../../sql/shared-pglite.js'
import { createTurns } from '../../sql/exclusive.js'
import type { SqlDatabase, SqlSession } from '../../sql/session.js'
import { createSqlJournal, type SqlJournal } from './sql-journal.js'

export interface PgliteJournalOptions {
  /**
   * The folder of the database, which is created. A lock file beside it keeps other processes out. Or an instance of
   * `PGlite`, which is not closed: it has opened its folder before the first call takes the lock.
   */
  readonly database: string | PgliteClient
  /** The schema of the tables. @default 'payouts' */
  readonly schema?: string | undefined
}

const NAMES = ['database', 'schema'] satisfies (keyof PgliteJournalOptions)[]

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
  refuseUnknown(options, NAMES)
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
