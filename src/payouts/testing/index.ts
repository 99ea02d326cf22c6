/** Entry point for tests of journals. */

export { journalTests } from './wallet-tests.js'
export type { JournalTest } from './wallet-tests.js'
export type { PayoutJournal } from '../../streams/payouts/journal.js'
