import type { JournalScope, PayoutJournal, PayoutRecord } from '../../streams/payouts/journal.js'
import type { Tests } from './test-rows.js'
import { PAYMENT_TESTS } from './payment-tests.js'
import { REQUEST_TESTS } from './request-tests.js'
import { WALLET_TESTS } from './wallet-tests.js'

/** One test of a journal: `it(name, run)`. It rejects where the journal does not do what a queue needs. */
export interface JournalTest {
  readonly name: string
  readonly run: () => Promise<void>
}

/**
 * The tests that every journal must pass. `open` returns a journal that may have rows of earlier tests; each test has a
 * wallet and ids of its own, which begin with `prefix`.
 * @example
 * for (const { name, run } of journalTests(() => myJournal())) it(name, run)
 */
export function journalTests(open: () => PayoutJournal | Promise<PayoutJournal>): readonly JournalTest[] {
  return Object.entries(TESTS).map(([name, test], at) => ({
    name,
    run: async () => {
      const journal = await open()
      const scope: JournalScope = { network: 'simnet', name: `conformance ${at}` }
      const access = journal.access(scope)
      const session = await journal.open(scope, new AbortController().signal)
      const add = (id: string, amount = 5n): Promise<PayoutRecord> =>
        session.add({ id: `${at} ${id}`, address: `address ${at}`, amount, notBefore: null })
      try {
        await test({ journal, access, session, add }, { scope, base: 1_000 * (at + 1), prefix: `${at} ` })
      } finally {
        await session.close()
      }
    },
  }))
}

const TESTS: Tests = { ...REQUEST_TESTS, ...PAYMENT_TESTS, ...WALLET_TESTS }
