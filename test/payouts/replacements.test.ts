import { describe, expect, it } from 'vitest'
import { nextReplacement, rateOf } from '../../src/payouts/replacements.js'
import { attemptOf, idOf, outpointOf } from '../../src/payouts/testing/journal-fixtures.js'
import { outpointsOf } from '../../src/streams/payouts/group-changes.js'
import { massOf } from '../../src/payouts/queue-node.js'
import { toOutpointKey, type UtxoEntry } from '../../src/model/utxo.js'
import type { PayoutAttempt, PayoutGroup, PayoutRecord } from '../../src/streams/payouts/journal.js'

const payoutOf = (id: string): PayoutRecord => ({
  ...{ id, address: 'recipient', amount: 5n, notBefore: null, sequence: 1n, requestedAt: 0, version: 3 },
  ...{ group: idOf(1), progress: { state: 'relayed' } },
})

/** With the outputs that it has spent. */
function attempt(id: number, inputs: readonly number[], pays: readonly string[], number = 0): PayoutAttempt {
  const { signed, ...fields } = attemptOf(id, inputs, pays, number)
  const output = { amount: '1000', scriptPublicKey: { version: 0, script: '51' } }
  const restore = { version: 1, network: 'simnet', spent: inputs.map(() => output), checksum: '' }
  return { ...fields, signed: { ...signed, restore } }
}

const [pay, bump] = [attempt(1, [10, 11], ['a', 'b']), attempt(2, [10, 11, 12], ['a', 'b'], 1)]
/** Spends the change of what has excluded the first two. */
const again: PayoutAttempt = { ...attempt(3, [20], ['b'], 2), kind: 'again' }
const groupOf = (fields: Partial<PayoutGroup>): PayoutGroup => ({
  ...{ id: idOf(1), state: 'open', version: 1, bumpRate: null, conflicts: [] },
  ...{ attempts: [pay], payouts: [payoutOf('a'), payoutOf('b')] },
  ...fields,
})
const timing = { relayedFor: 0, bumpAfter: 30_000, maxBumpRate: 10_000 }
function summary(group: PayoutGroup) {
  const next = nextReplacement(group, [], timing)
  if (next === undefined) return undefined
  const { kind, replaces, payouts, fixed } = next
  expect(fixed.map(({ outpoint }) => `${outpoint.transactionId}:${outpoint.index}`)).toEqual(outpointsOf(replaces))
  return [kind, replaces.transactionId, payouts.map(({ id }) => id)]
}

describe('nextReplacement', () => {
  it.each<[string, Partial<PayoutGroup>, ReturnType<typeof summary>]>([
    ['nothing before bumpAfter', {}, undefined],
    ['the newest attempt, as requested', { attempts: [pay, bump], bumpRate: 2 }, ['bump', idOf(2), ['a', 'b']]],
    [
      'at once what pays a released payout, once a reorg has opened its group again',
      { payouts: [payoutOf('b')] },
      ['cancel', idOf(1), ['b']],
    ],
    ['it by change alone where all were released', { payouts: [] }, ['cancel', idOf(1), []]],
    [
      'the newest attempt with the first inputs, where the one after it depends on what a reorg has undone',
      { attempts: [pay, bump, again], bumpRate: 2 },
      ['bump', idOf(2), ['a', 'b']],
    ],
    [
      'it at once where it pays a released payout',
      { attempts: [pay, bump, again], payouts: [payoutOf('b')] },
      ['cancel', idOf(2), ['b']],
    ],
    [
      'the newest attempt that nothing else excludes',
      {
        ...{ attempts: [pay, bump], bumpRate: 2 },
        conflicts: [{ outpoint: outpointOf(12), transactionId: idOf(9), blueScore: 7n }],
      },
      ['bump', idOf(1), ['a', 'b']],
    ],
    [
      'the newest attempt while the others are excluded',
      {
        ...{ attempts: [pay, bump, again], payouts: [payoutOf('b')], bumpRate: 2 },
        conflicts: [{ outpoint: outpointOf(10), transactionId: idOf(9), blueScore: 7n }],
      },
      ['bump', idOf(3), ['b']],
    ],
  ])('replaces %s', (_, fields, expected) => {
    expect(summary(groupOf(fields))).toEqual(expected)
  })

  it.each([10_000, 3])('doubles the fee rate after bumpAfter, up to %s sompi per gram', (maxBumpRate) => {
    const paid = { ...pay, fee: 2n * massOf(pay.signed) }
    const settings = { ...timing, relayedFor: timing.bumpAfter, maxBumpRate }
    const next = nextReplacement(groupOf({ attempts: [paid] }), [], settings)
    expect(rateOf(paid)).toBe(2)
    expect(next).toMatchObject({ kind: 'bump', feeRate: Math.min(4, maxBumpRate) })
    expect(nextReplacement(groupOf({ attempts: [paid] }), [], { ...settings, maxBumpRate: 2 })).toBeUndefined()
  })

  it('leaves out what is to be cancelled', () => {
    const cancelling: PayoutRecord = { ...payoutOf('a'), progress: { state: 'cancelling' } }
    expect(summary(groupOf({ payouts: [cancelling, payoutOf('b')] }))).toEqual(['cancel', idOf(1), ['b']])
  })

  it('replaces nothing once the chain has an attempt', () => {
    const accepted = { ...pay, acceptedBlueScore: 7n }
    expect(nextReplacement(groupOf({ attempts: [accepted, bump], bumpRate: 2 }), [], timing)).toBeUndefined()
  })
})

describe('nextReplacement of an excluded group', () => {
  const conflicting = (id: string, isCancelling = false): PayoutRecord => ({
    ...payoutOf(id),
    progress: { state: 'conflicting', transactionId: idOf(9), blueScore: 7n, isCancelling },
  })
  const conflict = (outpoint: number, by = 9) => ({
    ...{ outpoint: outpointOf(outpoint), transactionId: idOf(by), blueScore: 7n },
  })
  const entry = (transactionId: string): UtxoEntry => ({
    ...{ outpoint: { transactionId, index: 0 }, amount: 5n, blockDaaScore: 1n, isCoinbase: false },
    ...{ scriptPublicKey: { version: 0, script: '51' } },
  })
  const [other, ofConflict] = [entry(idOf(30)), entry(idOf(9))]
  const inputsOf = (fields: Partial<PayoutGroup>) => {
    const group = groupOf({ state: 'excluded', payouts: [conflicting('a'), conflicting('b')], ...fields })
    return nextReplacement(group, [other, ofConflict], timing)?.fixed.map(({ outpoint }) => toOutpointKey(outpoint))
  }

  it('spends the inputs of all attempts that nothing else has spent', () => {
    expect(inputsOf({ attempts: [pay, bump], conflicts: [conflict(11)] })).toEqual([outpointOf(10)])
    expect(inputsOf({ attempts: [bump, pay], conflicts: [conflict(11)] })).toEqual([outpointOf(10)])
  })

  it('spends an output of what excludes all attempts, and no other UTXO', () => {
    expect(inputsOf({ conflicts: [conflict(10), conflict(11)] })).toEqual([toOutpointKey(ofConflict.outpoint)])
    const apart = [attempt(1, [10], ['a', 'b']), attempt(2, [12], ['a', 'b'], 1)]
    expect(inputsOf({ attempts: apart, conflicts: [conflict(10), conflict(12, 8)] })).toBeUndefined()
  })

  it('spends no output of a transaction that is missing: it could stand beside the payment', () => {
    const missing = [conflict(10), conflict(11)].map((each) => ({ ...each, isMissing: true }))
    expect(inputsOf({ conflicts: missing })).toBeUndefined()
    expect(inputsOf({ conflicts: missing.slice(0, 1) })).toEqual([outpointOf(11)])
  })

  it('pays nothing again that is to be cancelled', () => {
    const payouts = [conflicting('a', true), conflicting('b', true)]
    expect(inputsOf({ payouts, conflicts: [conflict(11)] })).toBeUndefined()
  })
})
