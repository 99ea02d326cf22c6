import { describe, expect, it } from 'vitest'
import { attemptOf, idOf, outpointOf } from '../../src/payouts/testing/journal-fixtures.js'
import { decideStep, type ChainStep } from '../../src/streams/payouts/decide-step.js'
import type { PayoutGroup, PayoutRecord } from '../../src/streams/payouts/journal.js'
import type { PayoutProgress } from '../../src/streams/payouts/progress.js'
import type { Transfer, TransferTransaction } from '../../src/streams/transfers/transfer.js'

const payoutOf = (id: string, progress: PayoutProgress): PayoutRecord => ({
  ...{ id, address: 'recipient', amount: 5n, notBefore: null, sequence: 1n, requestedAt: 0, version: 3 },
  ...{ group: idOf(1), progress },
})

/** A group of two attempts, of which the second one pays only `b`. */
const groupOf = (fields: Partial<PayoutGroup> = {}): PayoutGroup => ({
  id: idOf(1),
  state: 'open',
  version: 1,
  bumpRate: null,
  conflicts: [],
  attempts: [attemptOf(1, [10, 11], ['a', 'b']), attemptOf(2, [10, 11], ['b'], 1)],
  payouts: [payoutOf('a', { state: 'cancelling' }), payoutOf('b', { state: 'relayed' })],
  ...fields,
})

const debit = (transaction: number, input: number, acceptingBlueScore: bigint): TransferTransaction => {
  const transfer: Transfer = {
    ...{ address: 'hot', direction: 'debit', amount: 5n, outpoint: { transactionId: idOf(input), index: 0 } },
    ...{ transactionId: idOf(transaction), acceptingBlockHash: idOf(99), acceptingBlueScore, acceptingDaaScore: 1n },
    ...{ timestamp: 0, isCoinbase: false, isOpening: false, isChange: false, isInternal: true, counterparties: [] },
  }
  return { transactionId: idOf(transaction), net: -5n, fee: 1n, transfers: [transfer] }
}

const step = (fields: Partial<ChainStep> & { readonly transactions?: readonly TransferTransaction[] }): ChainStep => ({
  batch: { cursor: 'next', rollback: null, transactions: fields.transactions ?? [] },
  blueScore: 100n,
  from: 'before',
  minConfirmations: 10,
  groups: [groupOf()],
  recipients: new Map(),
  debits: [],
  ...fields,
})

/** The states of the payouts that a change writes, and of the group. */
function summary({ payouts = [], groups = [] }: ReturnType<typeof decideStep>) {
  return {
    payouts: Object.fromEntries(payouts.map(({ id, progress }) => [id, progress.state])),
    group: groups[0]?.state,
  }
}

const rollback = (blueScore: bigint): ChainStep['batch'] => ({
  cursor: 'next',
  rollback: { hash: idOf(50), blueScore, daaScore: 0n },
  transactions: [],
})

describe('decideStep', () => {
  it('accepts the payouts that an attempt pays', () => {
    const change = decideStep(step({ transactions: [debit(1, 10, 95n)] }))
    expect(summary(change)).toEqual({ payouts: { a: 'accepted', b: 'accepted' }, group: undefined })
    expect(change.attempts).toEqual([{ transactionId: idOf(1), acceptedBlueScore: 95n, acceptingBlock: idOf(99) }])
    expect(change.cursor).toEqual({ from: 'before', to: 'next' })
    expect(change.debits).toEqual([])
  })

  it('ignores opening credits, whose score is that of the opening', () => {
    const [own] = debit(1, 10, 95n).transfers
    const change = { ...own!, direction: 'credit', isOpening: true, acceptingBlockHash: null } as const
    const transactions = [{ transactionId: idOf(1), net: 5n, fee: null, transfers: [change] }]
    expect(decideStep(step({ transactions })).attempts).toEqual([])
  })

  it('settles what is deep enough, and cancels what the accepted attempt does not pay', () => {
    const change = decideStep(step({ transactions: [debit(2, 10, 90n)] }))
    expect(summary(change)).toEqual({ payouts: { a: 'cancelled', b: 'settled' }, group: 'settled' })
  })

  it('takes back what a reorg has undone, also where it was settled', () => {
    const accepted = { ...attemptOf(2, [10, 11], ['b'], 1), acceptedBlueScore: 90n, acceptingBlock: idOf(99) }
    const settled: PayoutProgress = { state: 'settled', transactionId: idOf(2), blueScore: 90n, isCancelling: false }
    const group = groupOf({
      state: 'settled',
      attempts: [attemptOf(1, [10, 11], ['a', 'b']), accepted],
      payouts: [payoutOf('a', { state: 'cancelled', transactionId: idOf(2) }), payoutOf('b', settled)],
    })
    const change = decideStep(step({ groups: [group], batch: rollback(89n), blueScore: 89n }))
    expect(summary(change)).toEqual({ payouts: { a: 'cancelling', b: 'relayed' }, group: 'open' })
    const kept = decideStep(step({ groups: [group], batch: rollback(90n), blueScore: 90n }))
    expect(summary(kept)).toEqual({ payouts: {}, group: undefined })
  })

  it('reports a debit of another transaction, and excludes what it conflicts with once it is deep enough', () => {
    const change = decideStep(step({ transactions: [debit(7, 11, 95n)], recipients: new Map([[idOf(7), ['c']]]) }))
    expect(change.debits).toEqual([{ transactionId: idOf(7), isAcknowledged: false, ids: ['c'] }])
    const conflicts = [{ outpoint: outpointOf(11), transactionId: idOf(7), blueScore: 95n }]
    expect(change.groups).toMatchObject([{ state: 'open', conflicts }])
    const later = decideStep(step({ groups: [groupOf({ conflicts })], blueScore: 105n }))
    expect(summary(later)).toEqual({ payouts: { a: 'conflicting', b: 'conflicting' }, group: 'excluded' })
  })

  it('opens an excluded group again where a reorg has undone the conflict', () => {
    const conflicts = [{ outpoint: outpointOf(11), transactionId: idOf(7), blueScore: 95n }]
    const conflicting = (isCancelling: boolean): PayoutProgress => ({
      ...{ state: 'conflicting', transactionId: idOf(7), blueScore: 95n },
      isCancelling,
    })
    const payouts = [payoutOf('a', conflicting(true)), payoutOf('b', conflicting(false))]
    const group = groupOf({ state: 'excluded', conflicts, payouts })
    const change = decideStep(step({ groups: [group], batch: rollback(94n), blueScore: 94n }))
    expect(summary(change)).toEqual({ payouts: { a: 'cancelling', b: 'relayed' }, group: 'open' })
    expect(change.groups?.[0]?.conflicts).toEqual([])
  })

  it('leaves a group open while an attempt needs nothing that another transaction has spent', () => {
    const conflicts = [{ outpoint: outpointOf(11), transactionId: idOf(7), blueScore: 50n }]
    const again = attemptOf(3, [10], ['a', 'b'], 2)
    const group = groupOf({ conflicts, attempts: [...groupOf().attempts, again] })
    expect(summary(decideStep(step({ groups: [group] })))).toEqual({ payouts: {}, group: undefined })
  })

  it('keeps a settled group where a reorg has undone a conflict only', () => {
    const accepted = { ...attemptOf(1, [10, 11], ['a', 'b']), acceptedBlueScore: 88n }
    const conflicts = [{ outpoint: outpointOf(11), transactionId: idOf(7), blueScore: 95n }]
    const group = groupOf({ state: 'settled', attempts: [accepted], conflicts })
    const change = decideStep(step({ groups: [group], batch: rollback(94n), blueScore: 94n }))
    expect(summary(change)).toEqual({ payouts: {}, group: 'settled' })
    expect(change.groups?.[0]?.conflicts).toEqual([])
    expect(change.attempts).toEqual([])
  })

  it('keeps a conflict at the block that a reorg goes back to', () => {
    const conflicts = [{ outpoint: outpointOf(11), transactionId: idOf(7), blueScore: 95n }]
    const change = decideStep(step({ groups: [groupOf({ conflicts })], batch: rollback(95n), blueScore: 96n }))
    expect(summary(change)).toEqual({ payouts: {}, group: undefined })
  })

  it('excludes nothing whose payment the chain has, however deep the conflict is', () => {
    const conflicts = [{ outpoint: outpointOf(11), transactionId: idOf(7), blueScore: 50n }]
    const [first, second] = groupOf().attempts
    const attempts = [{ ...first!, acceptedBlueScore: 95n }, second!]
    const change = decideStep(step({ groups: [groupOf({ conflicts, attempts })] }))
    expect(summary(change)).toEqual({ payouts: {}, group: undefined })
  })

  it('excludes only by conflicts that are deep enough, for each attempt', () => {
    const conflicts = [
      { outpoint: outpointOf(10), transactionId: idOf(7), blueScore: 50n },
      { outpoint: outpointOf(12), transactionId: idOf(8), blueScore: 95n },
    ]
    const group = groupOf({ conflicts, attempts: [attemptOf(1, [10], ['a', 'b']), attemptOf(2, [12], ['b'], 1)] })
    expect(summary(decideStep(step({ groups: [group] }))).group).toBeUndefined()
    expect(summary(decideStep(step({ groups: [group], blueScore: 105n }))).group).toBe('excluded')
  })

  it('ends the claims of what only a losing attempt spends, unless another transaction has spent it', () => {
    const conflicts = [{ outpoint: outpointOf(13), transactionId: idOf(7), blueScore: 95n }]
    const attempts = [attemptOf(1, [10, 11], ['a', 'b']), attemptOf(2, [10, 11, 12, 13], ['a', 'b'], 1)]
    const group = groupOf({ attempts, conflicts })
    expect(decideStep(step({ groups: [group], transactions: [debit(1, 10, 95n)] })).released).toEqual([])
    const change = decideStep(step({ groups: [group], transactions: [debit(1, 10, 90n)] }))
    expect(summary(change).group).toBe('settled')
    expect(change.released).toEqual([{ group: idOf(1), outpoint: outpointOf(12) }])
    expect(change.reclaimed).toEqual([])
    const missing = conflicts.map((each) => ({ ...each, isMissing: true })) // it may return
    const other = decideStep(
      step({ groups: [groupOf({ attempts, conflicts: missing })], transactions: [debit(1, 10, 90n)] }),
    )
    expect(other.released).toEqual([12, 13].map((id) => ({ group: idOf(1), outpoint: outpointOf(id) })))
  })

  it('claims all inputs again where a reorg has undone the settled attempt', () => {
    const accepted = { ...attemptOf(1, [10], ['a', 'b']), acceptedBlueScore: 90n }
    const group = groupOf({ state: 'settled', attempts: [accepted, attemptOf(2, [10, 12], ['a', 'b'], 1)] })
    const change = decideStep(step({ groups: [group], batch: rollback(89n), blueScore: 89n }))
    expect(change.reclaimed).toEqual([10, 12].map((id) => ({ group: idOf(1), outpoint: outpointOf(id) })))
    const transactions = [debit(2, 10, 85n)]
    const other = decideStep(step({ groups: [group], batch: { ...rollback(80n), transactions } }))
    expect(other.attempts?.map(({ acceptedBlueScore }) => acceptedBlueScore)).toEqual([null, 85n])
    expect(other.reclaimed).toEqual([10, 12].map((id) => ({ group: idOf(1), outpoint: outpointOf(id) })))
    expect(other.released).toEqual([])
  })

  it('notes the conflict of each group that spends an outpoint', () => {
    const [first, other] = [
      groupOf({ attempts: [attemptOf(1, [10], ['a', 'b']), attemptOf(2, [10, 12], ['a', 'b'], 1)] }),
      groupOf({ id: idOf(3), attempts: [attemptOf(3, [12], ['c'])], payouts: [] }),
    ]
    for (const groups of [
      [first, other],
      [other, first],
    ]) {
      const change = decideStep(step({ groups, transactions: [debit(2, 12, 95n)] }))
      const conflicts = [{ outpoint: outpointOf(12), transactionId: idOf(2), blueScore: 95n }]
      expect(change.groups).toMatchObject([{ id: idOf(3), conflicts }])
    }
  })

  describe('of a missing input', () => {
    const conflicts = [{ outpoint: outpointOf(11), transactionId: idOf(11), blueScore: 90n, isMissing: true }]
    const credit = (transaction: number): TransferTransaction => {
      const { transfers } = debit(transaction, transaction, 99n)
      return {
        transactionId: idOf(transaction),
        net: 5n,
        fee: null,
        transfers: [{ ...transfers[0]!, direction: 'credit' }],
      }
    }
    const excluded = decideStep(step({ groups: [groupOf({ conflicts })] }))

    it('excludes its group once that is deep enough', () => {
      expect(summary(excluded)).toEqual({ payouts: { a: 'conflicting', b: 'conflicting' }, group: 'excluded' })
    })

    it('opens the group again once the chain has its transaction', () => {
      const payouts = excluded.payouts!.map(({ id, progress }) => payoutOf(id, progress))
      const group = groupOf({ state: 'excluded', conflicts, payouts })
      expect(summary(decideStep(step({ groups: [group], transactions: [credit(12)] })))).toEqual({ payouts: {} })
      const change = decideStep(step({ groups: [group], transactions: [credit(11)] }))
      expect(summary(change)).toEqual({ payouts: { a: 'cancelling', b: 'relayed' }, group: 'open' })
      expect(change.groups?.[0]?.conflicts).toEqual([])
      expect(change.debits).toEqual([])
    })
  })

  it('notes each outpoint that a transaction has spent, and each debit once', () => {
    const [first, second] = [debit(7, 10, 95n), debit(7, 11, 95n)]
    const both = { ...first, transfers: [...first.transfers, ...second.transfers] }
    const debits = [{ transactionId: idOf(7), isAcknowledged: true, ids: [] }]
    const change = decideStep(step({ transactions: [both], debits }))
    expect(change.groups?.[0]?.conflicts.map(({ outpoint }) => outpoint)).toEqual([10, 11].map(outpointOf))
    expect(change.debits).toEqual([])
    const own = { ...debit(2, 10, 95n), transfers: [...debit(2, 10, 95n).transfers, ...debit(2, 11, 95n).transfers] }
    expect(decideStep(step({ transactions: [own] })).groups).toEqual([])
  })
})
