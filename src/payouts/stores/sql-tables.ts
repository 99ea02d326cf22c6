import type { Query, SqlSession } from '../../sql/session.js'
import type { JournalChange, JournalScope, JournalSession, PayoutJournal } from '../../streams/payouts/journal.js'

/** The tables of a journal, for a feed of the same database. */
export interface SqlTables {
  /** The pool, or the instance of PGlite, that has them; undefined where the journal opens connections by itself. */
  readonly database: object | undefined
  /**
   * Waits until no other instance works, then works on a connection that a feed has opened, and closes. Rejects with
   * `PayoutError` (`schema-newer`), `SessionDropped`, and with the signal's reason.
   */
  join(session: SqlSession, scope: JournalScope, waiting: Waiting): Promise<SharedSession>
}

export interface Waiting {
  readonly signal: AbortSignal
  /** Called where another instance works. */
  readonly onWait: () => void
}

/** A session of a journal on the connection of a feed. */
export interface SharedSession extends JournalSession {
  /** As `write`, within the transaction that `transact` runs. */
  writeIn(change: JournalChange, transact: (work: (query: Query) => Promise<void>) => Promise<void>): Promise<boolean>
}

const SQL_TABLES: unique symbol = /*#__PURE__*/ Symbol.for('vue-chain payout tables')

export const withSqlTables = <T extends PayoutJournal>(journal: T, tables: SqlTables): T =>
  Object.assign(journal, { [SQL_TABLES]: tables })

/** The tables of a journal; undefined for those that are not in a database. */
export function sqlTablesOf(journal: PayoutJournal): SqlTables | undefined {
  const tables: unknown = SQL_TABLES in journal ? journal[SQL_TABLES] : undefined
  return isTables(tables) ? tables : undefined
}

const isTables = (value: unknown): value is SqlTables => typeof value === 'object' && value !== null && 'join' in value

/** The channel on which changed payouts are announced, without payload. */
export const payoutChannel = (schema: string): string => `${schema}_payout`
