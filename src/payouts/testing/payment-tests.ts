import type { PayoutRecord } from '../../streams/payouts/journal.js'
import { attemptOf, idOf, newAttempt, outpointOf, updateOf, equal, type Tests } from './journal-fixtures.js'

/** Groups with their attempts, claims and payouts: written together, or not at all. */
export const PAYMENT_TESTS: Tests = {
  'stores group, attempt, claims and payouts together': async ({ session, access, add }, { base }) => {
    const record = await add('a')
    const attempt = attemptOf(base, [base + 1, base + 2], [record.id])
    const stored = { type: 'stored' as const, transactionId: attempt.transactionId }
    const change = {
      newAttempt: newAttempt(attempt, attempt.transactionId, [base + 1, base + 2]),
      payouts: [updateOf(record, stored, attempt.transactionId)],
    }
    equal('written', await session.write(change), true)
    const [group] = await access.groups({ of: 'open' })
    equal(
      'group',
      [group?.id, group?.state, group?.attempts, group?.payouts.map(({ progress }) => progress.state)],
      [attempt.transactionId, 'open', [attempt], ['signed']],
    )
    const outpoints = [base + 1, base + 2, base + 3].map(outpointOf)
    equal('claimed', [...(await access.taken(outpoints))].sort(), outpoints.slice(0, 2))
    equal('own change', [...(await access.taken([`${attempt.transactionId}:4`]))].length, 1)
    equal('due', (await access.due(10)).length, 0)
    equal('written twice', await session.write(change), false)
  },

  'writes nothing where an outpoint is claimed already': async ({ session, access, add }, { base }) => {
    const [a, b] = [await add('a'), await add('b')]
    const store = (record: PayoutRecord, id: number) => {
      const attempt = attemptOf(id, [base + 10, id + 100], [record.id])
      const stored = { type: 'stored' as const, transactionId: attempt.transactionId }
      return session.write({
        newAttempt: newAttempt(attempt, attempt.transactionId, [base + 10, id + 100]),
        payouts: [updateOf(record, stored, attempt.transactionId)],
      })
    }
    const written = await Promise.all([store(a, base), store(b, base + 1)])
    equal('written', written.filter(Boolean).length, 1)
    equal('groups', (await access.groups({ of: 'open' })).length, 1)
    equal('due', (await access.due(10)).length, 1)
    equal('free', (await access.taken([base + 100, base + 101].map(outpointOf))).size, 1)
  },

  'writes nothing over a payout that has changed': async ({ session, access, add }, { base }) => {
    const record = await add('a')
    equal('cancelled', await access.write({ payouts: [updateOf(record, { type: 'cancel-requested' })] }), true)
    const attempt = attemptOf(base, [base + 1], [record.id])
    const stored = { type: 'stored' as const, transactionId: attempt.transactionId }
    const written = await session.write({
      newAttempt: newAttempt(attempt, attempt.transactionId, [base + 1]),
      payouts: [updateOf(record, stored, attempt.transactionId)],
    })
    equal('written', written, false)
    equal('groups', (await access.groups({ of: 'open' })).length, 0)
    equal('claims', (await access.taken([outpointOf(base + 1)])).size, 0)
  },

  'keeps what the chain and nodes show of attempts, and finds their groups': async (
    { session, access, add },
    { base },
  ) => {
    const record = await add('a')
    const attempt = attemptOf(base, [base + 1], [record.id])
    const { transactionId } = attempt
    const payouts = [updateOf(record, { type: 'stored', transactionId }, transactionId)]
    await session.write({ newAttempt: newAttempt(attempt, transactionId, [base + 1]), payouts })
    const replies = [{ transactionId, outcome: 'unknown' as const, lastResponse: 'orphan' }]
    const attempts = [{ transactionId, acceptedBlueScore: 9n, acceptingBlock: idOf(base + 9) }]
    equal('written', await session.write({ replies, attempts }), true)
    const [group] = await access.groups({ of: 'transactions', ids: [transactionId] })
    equal('attempt', group?.attempts, [{ ...attempt, ...replies[0], ...attempts[0] }])
    equal('above', (await access.groups({ of: 'above', blueScore: 8n })).length, 1)
    equal('not above', (await access.groups({ of: 'above', blueScore: 9n })).length, 0)
    const conflicts = [{ outpoint: outpointOf(base + 1), transactionId: idOf(base + 5), blueScore: 20n }]
    const update = {
      id: transactionId,
      version: 1,
      state: 'settled' as const,
      bumpRate: 1.5,
      conflicts,
    }
    equal('excluded', await session.write({ groups: [{ ...update, state: 'excluded', version: 0 }] }), true)
    equal('change of an excluded one', (await access.taken([`${transactionId}:1`])).size, 1)
    equal('settled', await session.write({ groups: [update] }), true)
    equal('stale', await session.write({ groups: [update] }), false)
    equal('open', (await access.groups({ of: 'open' })).length, 0)
    equal('conflicts', (await access.groups({ of: 'above', blueScore: 19n }))[0]?.conflicts, conflicts)
    equal('not above the conflict', (await access.groups({ of: 'above', blueScore: 20n })).length, 0)
    equal('change is free', (await access.taken([`${transactionId}:1`])).size, 0)
    equal('claim stays', (await access.taken([outpointOf(base + 1)])).size, 1)
  },

  'adds attempts of a group one after the other': async ({ session, access, add }, { base }) => {
    const record = await add('a')
    const first = attemptOf(base, [base + 1], [record.id])
    const group = first.transactionId
    const payouts = [updateOf(record, { type: 'stored', transactionId: group }, group)]
    await session.write({ newAttempt: newAttempt(first, group, [base + 1]), payouts })
    const second = attemptOf(base + 2, [base + 1, base + 3], [record.id], 1)
    equal('second', await session.write({ newAttempt: newAttempt(second, group, [base + 3]) }), true)
    const rival = attemptOf(base + 4, [base + 1], [record.id], 1)
    equal('rival', await session.write({ newAttempt: newAttempt(rival, group, []) }), false)
    const [stored] = await access.groups({ of: 'ids', ids: [group] })
    equal('attempts', stored?.attempts, [first, second])
  },

  'ends claims, and begins them again, of their own group only': async ({ session, access, add }, { base }) => {
    const store = async (id: string, number: number, inputs: readonly number[]) => {
      const record = await add(id)
      const attempt = attemptOf(number, inputs, [record.id])
      const { transactionId } = attempt
      const payouts = [updateOf(record, { type: 'stored', transactionId }, transactionId)]
      equal(id, await session.write({ newAttempt: newAttempt(attempt, transactionId, inputs), payouts }), true)
      return transactionId
    }
    const outpoints = [base + 1, base + 2].map(outpointOf)
    const claimsOf = (group: string) => outpoints.map((outpoint) => ({ group, outpoint }))
    const first = await store('a', base, [base + 1, base + 2])
    equal('ended', await session.write({ released: claimsOf(first).slice(1) }), true)
    equal('taken', [...(await access.taken(outpoints))], outpoints.slice(0, 1))
    const second = await store('b', base + 5, [base + 2])
    equal('of another group', await session.write({ released: claimsOf(first).slice(1) }), true)
    equal('still taken', (await access.taken(outpoints)).size, 2)
    equal('begun again', await session.write({ reclaimed: claimsOf(first) }), true)
    equal('ended again', await session.write({ released: claimsOf(second) }), true)
    equal('taken by the first', [...(await access.taken(outpoints))], outpoints.slice(0, 1))
  },

  'keeps that an input is missing': async ({ session, access, add }, { base }) => {
    const record = await add('a')
    const attempt = attemptOf(base, [base + 1], [record.id])
    const group = attempt.transactionId
    await session.write({
      newAttempt: newAttempt(attempt, group, [base + 1]),
      payouts: [updateOf(record, { type: 'stored', transactionId: group }, group)],
    })
    const conflicts = [
      { outpoint: outpointOf(base + 1), transactionId: idOf(base + 1), blueScore: 20n, isMissing: true },
    ]
    equal(
      'written',
      await session.write({ groups: [{ id: group, version: 0, state: 'open', bumpRate: null, conflicts }] }),
      true,
    )
    equal('conflicts', (await access.groups({ of: 'ids', ids: [group] }))[0]?.conflicts, conflicts)
  },

  'signs nothing that has a group, whatever its state': async ({ session, access, add }, { base }) => {
    const { id, version } = await add('a')
    const attempt = attemptOf(base, [base + 1], [id])
    const group = attempt.transactionId
    const payouts = [{ id, version, group, progress: { state: 'queued' as const }, events: [] }]
    equal('written', await session.write({ newAttempt: newAttempt(attempt, group, [base + 1]), payouts }), true)
    equal('due', (await access.due(10)).length, 0)
  },

  'keeps the networks of a wallet apart': async ({ journal, session, add }, { scope, base }) => {
    const [queued, paid] = [await add('a'), await add('b')]
    const attempt = attemptOf(base, [base + 1], [paid.id])
    const { transactionId } = attempt
    await session.write({
      newAttempt: newAttempt(attempt, transactionId, [base + 1]),
      payouts: [updateOf(paid, { type: 'stored', transactionId }, transactionId)],
      attempts: [{ transactionId, acceptedBlueScore: 9n, acceptingBlock: null }],
      cursor: { from: null, to: 'one' },
      debits: [{ transactionId: idOf(base + 5), isAcknowledged: false, ids: [] }],
    })
    const other = journal.access({ ...scope, network: 'devnet' })
    equal('due', await other.due(5), [])
    equal('listed', await other.list({ limit: 5 }), [])
    equal('found', await other.find([queued.id]), [])
    equal('open', await other.groups({ of: 'open' }), [])
    equal('by id', await other.groups({ of: 'ids', ids: [transactionId] }), [])
    equal('by transaction', await other.groups({ of: 'transactions', ids: [transactionId] }), [])
    equal('above', await other.groups({ of: 'above', blueScore: 0n }), [])
    equal('taken', (await other.taken([outpointOf(base + 1), `${transactionId}:1`])).size, 0)
    equal('counts', await other.counts(), [])
    equal('events', await other.events(0n, 5), [])
    equal('wallet', await other.wallet(), { cursor: null, isOnHold: false, debits: [] })
    const { id, address, notBefore } = queued
    equal('its own', (await other.add({ id, address, amount: 9n, notBefore })).amount, 9n)
  },
}
