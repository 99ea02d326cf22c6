import type { PayoutRecord } from '../../streams/payouts/journal.js'
import { updateOf } from './attempts.js'
import { equal } from './expectations.js'
import type { Tests } from './test-rows.js'

/** What callers request. */
export const REQUEST_TESTS: Tests = {
  'stores a request once, and returns the stored one for the same id': async ({ access, add }, { prefix }) => {
    const stored = await add('a')
    const again = await add('a', 7n)
    equal('amount', again.amount, 5n)
    equal('sequence', again.sequence, stored.sequence)
    const found = await access.find([`${prefix}a`, `${prefix}b`])
    equal(
      'found',
      found.map(({ id, progress }) => [id, progress.state]),
      [[`${prefix}a`, 'queued']],
    )
  },

  'stores one of many equal requests at the same time': async ({ add }) => {
    const stored = await Promise.all(Array.from({ length: 20 }, (_, at) => add('a', BigInt(at + 1))))
    equal('amounts', new Set(stored.map(({ amount }) => amount)).size, 1)
  },

  'lists payouts in the order of their requests': async ({ access, add }, { prefix }) => {
    const [first] = [await add('c'), await add('a'), await add('b')]
    const ids = (records: readonly PayoutRecord[]): readonly string[] =>
      records.map(({ id }) => id.slice(prefix.length))
    equal('all', ids(await access.list({ limit: 10 })), ['c', 'a', 'b'])
    equal('after', ids(await access.list({ after: first.sequence, limit: 1 })), ['a'])
    const [last] = await access.list({ isNewestFirst: true, limit: 1 })
    equal('newest', ids(await access.list({ isNewestFirst: true, limit: 2 })), ['b', 'a'])
    equal('older', ids(await access.list({ isNewestFirst: true, after: last?.sequence, limit: 9 })), ['a', 'c'])
    equal('of a state', ids(await access.list({ states: ['settled'], limit: 10 })), [])
    equal('due', ids(await access.due(2)), ['c', 'a'])
  },

  'keeps a payout back until its time': async ({ session, access }, { prefix }) => {
    const request = { address: 'address', amount: 5n }
    await session.add({ ...request, id: `${prefix}later`, notBefore: Date.now() + 3_600_000 })
    await session.add({ ...request, id: `${prefix}now`, notBefore: Date.now() - 3_600_000 })
    equal(
      'due',
      (await access.due(10)).map(({ id }) => id),
      [`${prefix}now`],
    )
  },

  'neither finds nor changes a payout of another wallet': async ({ journal, access, add }, { scope }) => {
    const record = await add('a')
    const other = journal.access({ ...scope, name: `${scope.name}, other` })
    equal('found', await other.find([record.id]), [])
    equal('listed', await other.list({ limit: 5 }), [])
    const waiting = { type: 'waiting' as const, reason: 'funds' as const, missing: null }
    equal('written', await other.write({ payouts: [updateOf(record, waiting)] }), false)
    equal('payout', await access.find([record.id]), [record])
  },

  'counts payouts by state': async ({ access, add }) => {
    const before = Date.now()
    await Promise.all([add('a'), add('b')])
    const counts = await access.counts()
    equal(
      'counts',
      counts.map(({ state, count }) => [state, count]),
      [['queued', 2]],
    )
    equal('age', Math.abs((counts[0]?.oldest ?? 0) - before) < 3_600_000, true)
  },
}
