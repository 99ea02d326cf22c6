import type { PayoutJournal } from '../../../src/streams/payouts/journal.js'

/** A journal whose instances all work at once. */
export const withoutLease = (journal: PayoutJournal): PayoutJournal => ({
  ...journal,
  open: (scope) =>
    Promise.resolve(
      Object.assign(journal.access(scope), {
        dropped: new Promise<never>(() => undefined),
        close: () => Promise.resolve(),
      }),
    ),
})
