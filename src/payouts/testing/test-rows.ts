import type {
  JournalAccess,
  JournalScope,
  JournalSession,
  PayoutJournal,
  PayoutRecord,
} from '../../streams/payouts/journal.js'

/** What a test works on. */
export interface TestRows {
  readonly journal: PayoutJournal
  readonly access: JournalAccess
  readonly session: JournalSession
  /** Stores a request. */
  readonly add: (id: string, amount?: bigint) => Promise<PayoutRecord>
}

export interface TestScope {
  readonly scope: JournalScope
  /** Numbers of transactions that no other test uses. */
  readonly base: number
  readonly prefix: string
}

/** Tests by their names. */
export type Tests = Readonly<Record<string, (rows: TestRows, scope: TestScope) => Promise<void>>>
