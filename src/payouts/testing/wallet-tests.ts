import { attemptOf, idOf, newAttempt, outpointOf, updateOf } from './attempts.js'
import { equal, eventually } from './expectations.js'
import type { Tests } from './test-rows.js'

/** The position on the chain, events, debits, and the session. */
export const WALLET_TESTS: Tests = {
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
