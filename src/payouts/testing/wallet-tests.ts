import type { PayoutRecord, JournalScope, PayoutJournal } from '../../streams/payouts/journal.js'
import { updateOf, equal, type Tests, attemptOf, idOf, newAttempt, outpointOf, eventually } from './journal-fixtures.js'
import { PAYMENT_TESTS } from './payment-tests.js'

/** What callers request. */
const REQUEST_TESTS: Tests = {
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

/** The position on the chain, events, debits, and the session. */
const WALLET_TESTS: Tests = {
  'stores rows and cursor together, over the cursor that they follow': async ({ session, access, add }) => {
    const record = await add('a')
    const waiting = { type: 'waiting' as const, reason: 'funds' as const, missing: 7n }
    equal('first', await session.write({ cursor: { from: null, to: 'one' } }), true)
    const update = updateOf(record, waiting)
    equal('stale', await session.write({ cursor: { from: null, to: 'two' }, payouts: [update] }), false)
    equal('payout', (await access.find([record.id]))[0]?.progress, { state: 'queued' })
    equal('second', await session.write({ cursor: { from: 'one', to: 'two' }, payouts: [update] }), true)
    equal('payout', (await access.find([record.id]))[0]?.progress, { state: 'waiting', reason: 'funds', missing: 7n })
    equal('cursor', (await access.wallet()).cursor, 'two')
  },

  'numbers the events of changes in their order': async ({ session, access, add }) => {
    const record = await add('a')
    const waiting = { type: 'waiting' as const, reason: 'own-change' as const, missing: 3n }
    await session.write({ payouts: [updateOf(record, waiting)] })
    const events = await eventually(
      () => access.events(0n, 10),
      (found) => found.length === 2,
    )
    equal(
      'events',
      events.map(({ id, event }) => [id, event]),
      [
        [record.id, { type: 'requested' }],
        [record.id, waiting],
      ],
    )
    const [first] = events
    equal('after', (await access.events(first?.number ?? 0n, 10)).length, 1)
  },

  'keeps hold and debits': async ({ session, access }, { base }) => {
    equal('wallet', await access.wallet(), { cursor: null, isOnHold: false, debits: [] })
    const debit = { transactionId: idOf(base), isAcknowledged: false, ids: ['x'] }
    await session.write({ isOnHold: true, debits: [debit] })
    await session.write({ cursor: { from: null, to: 'one' } })
    equal('wallet', await access.wallet(), { cursor: 'one', isOnHold: true, debits: [debit] })
    await access.write({ isOnHold: false, debits: [{ ...debit, isAcknowledged: true }] })
    equal('wallet', await access.wallet(), {
      cursor: 'one',
      isOnHold: false,
      debits: [{ ...debit, isAcknowledged: true }],
    })
  },

  'prunes outputs of settled transactions and events, and keeps ids and claims': async (
    { session, access, add },
    { base },
  ) => {
    if (access.prune === undefined) return
    const settle = async (id: string, number: number, blueScore: bigint) => {
      const record = await add(id)
      const bare = attemptOf(number, [number + 1], [record.id])
      const output = { value: '5', scriptPublicKey: { version: 0, script: '51' } }
      const attempt = { ...bare, signed: { ...bare.signed, outputs: [output] } }
      const { transactionId } = attempt
      await session.write({ newAttempt: newAttempt(attempt, transactionId, [number + 1]) })
      const [payout] = await access.find([record.id])
      if (payout === undefined) throw new Error('no payout')
      await session.write({
        payouts: [updateOf(payout, { type: 'stored', transactionId }, transactionId)],
        groups: [{ id: transactionId, version: 0, state: 'settled', bumpRate: null, conflicts: [] }],
        attempts: [{ transactionId, acceptedBlueScore: blueScore, acceptingBlock: null }],
      })
    }
    await settle('old', base, 8n)
    await settle('deep', base + 10, 9n)
    await add('queued')
    const never = { olderThan: Date.now() - 3_600_000, blueScore: 8n, limit: 10 }
    equal('younger', await access.prune(never), { attempts: 0, events: 0 })
    const pruned = await access.prune({ ...never, olderThan: Date.now() + 3_600_000 })
    equal('attempts', [pruned.attempts, pruned.events > 2], [1, true])
    const [old, deep] = await Promise.all(
      [base, base + 10].map((number) => access.groups({ of: 'ids', ids: [idOf(number)] })),
    )
    const outputs = [old, deep].map((groups) => groups?.[0]?.attempts[0]?.signed.outputs.length)
    equal('outputs', outputs, [0, 1])
    equal('inputs', old?.[0]?.attempts[0]?.signed.inputs.length, 1)
    equal('claims', (await access.taken([outpointOf(base + 1), outpointOf(base + 11)])).size, 2)
    equal('again', (await access.prune({ ...never, olderThan: Date.now() + 3_600_000 })).attempts, 0)
    equal('id', (await add('old', 9n)).amount, 5n)
    equal('due', (await access.due(5)).length, 1)
  },

  'lets one instance work, and the next one after it': async ({ journal, session, add }, { scope }) => {
    await add('a')
    const aborted = new AbortController()
    const second = journal.open(scope, aborted.signal)
    const isOpen = await Promise.race([second.then(() => true), session.wallet().then(() => false)])
    equal('two at once', isOpen, false)
    await session.close()
    const next = await second
    equal('payouts', (await next.list({ limit: 5 })).length, 1)
    await next.close()
  },
}

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
