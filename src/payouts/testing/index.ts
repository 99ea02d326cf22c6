/** Entry point for tests of journals. */

export { journalTests } from './journal-tests.js'
export type { JournalTest } from './journal-tests.js'
export type { PayoutJournal } from '../../streams/payouts/journal.js'
