import { refuseUnknown } from '../../errors/unknown-option.js'
import { createSharedPglite, type PgliteClient } from '../../sql/shared-pglite.js'
import { createExclusive } from '../../sql/exclusive.js'
import type { SqlDatabase, SqlSession } from '../../sql/session.js'
import { untilAborted } from '../../loading/until-aborted.js'
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
  const leases = new Map<string, ReturnType<typeof createExclusive>>()
  return {
    async open(options) {
      const exclusive = leases.get(options.lease) ?? createExclusive()
      leases.set(options.lease, exclusive)
      const ended = untilAborted(options.signal)
      const turn = new Promise<() => void>((start) => {
        void exclusive(() => new Promise<void>((release) => start(release)))
      })
      try {
        const release = await Promise.race([turn, ended.promise])
        return withRelease(await database.open(options), release)
      } catch (error) {
        void turn.then((release) => release())
        throw error
      } finally {
        ended.end()
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
