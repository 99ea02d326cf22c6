import { refuseUnknown } from '../../errors/unknown-option.js'
import { createSharedPglite, type PgliteClient } from '../../sql/shared-pglite.js'
import { createTurns } from '../../sql/exclusive.js'
import type { SqlDatabase, SqlSession } from '../../sql/session.js'
import type { PayoutJournal } from '../../streams/payouts/journal.js'
import { createSqlJournal } from './sql-journal.js'

export interface PgliteJournalOptions {
  /** An instance of `PGlite`, which is not closed. No other process may open its folder meanwhile. */
  readonly database: PgliteClient
  /** The schema of the tables. @default 'payouts' */
  readonly schema?: string | undefined
}

const NAMES = ['database', 'schema'] satisfies (keyof PgliteJournalOptions)[]

/** A journal in the same tables of PGlite: PostgreSQL inside this process. Throws `ChainError` (`invalid-argument`). */
export function pgliteJournal(options: PgliteJournalOptions): PayoutJournal {
  refuseUnknown(options, NAMES)
  const shared = createSharedPglite(options.database)
  const unlimited = new AbortController().signal
  const session = shared.open({ lease: '', signal: unlimited })
  return createSqlJournal(
    {
      run: async (work) => (await session).run(work),
      transaction: async (work) => (await session).transaction(work),
    },
    withLeases(shared),
    options.schema,
  )
}

/** The instance belongs to one process, so that a lease is a queue of its sessions. */
function withLeases(database: SqlDatabase): SqlDatabase {
  const leases = new Map<string, ReturnType<typeof createTurns>>()
  return {
    async open(options) {
      const takeTurn = leases.get(options.lease) ?? createTurns()
      leases.set(options.lease, takeTurn)
      const release = await takeTurn(options.signal)
      try {
        return withRelease(await database.open(options), release)
      } catch (error) {
        release()
        throw error
      }
    },
  }
}

const withRelease = (session: SqlSession, release: () => void): SqlSession => ({
  ...session,
  close: async () => {
    await session.close()
    release()
  },
})
