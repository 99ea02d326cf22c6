import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMature } from '../../../../src/model/spendable.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { applyDelta, replaceEntries, type EntryChanges } from '../../../../src/streams/utxos/store/entry-changes.js'
import { createMaturityQueue } from '../../../../src/streams/utxos/view/maturity-queue.js'
import { createRunningBalance } from '../../../../src/streams/utxos/view/running-balance.js'
import { scriptAddress } from '../../../operations/transactions/accounts.js'
import { ALICE, ANY_AMOUNT, createSet, utxo } from '../utxo-fixtures.js'

const addition = (...added: readonly UtxoEntry[]): EntryChanges => ({
  type: 'changed',
  address: ALICE,
  removed: [],
  added,
})
const mined = (n: number, blockDaaScore: bigint) => utxo(n, { isCoinbase: true, blockDaaScore })
const none = () => []

describe('a running balance', () => {
  it('counts regular UTXOs as mature at once, and coinbase as immature until maturity', () => {
    const runningBalance = createRunningBalance(1_000n)
    runningBalance.setScore(500n, none)
    runningBalance.apply(addition(utxo(1), mined(2, 400n)))
    expect(runningBalance.sums).toMatchObject({ mature: 100n, immature: 200n })
  })

  it('moves coinbase to mature exactly at its maturity score', () => {
    const runningBalance = createRunningBalance(1_000n)
    runningBalance.apply(addition(mined(2, 400n)))
    expect(runningBalance.setScore(1_399n, none)).toBe('same')
    expect(runningBalance.sums).toMatchObject({ mature: 0n, immature: 200n })
    expect(runningBalance.setScore(1_400n, none)).toBe('changed')
    expect(runningBalance.sums).toMatchObject({ mature: 200n, immature: 0n })
  })

  it('counts coinbase once that was removed and added again', () => {
    const runningBalance = createRunningBalance(1_000n)
    const entry = mined(2, 400n)
    runningBalance.apply(addition(entry))
    runningBalance.apply({ type: 'changed', address: ALICE, removed: [entry], added: [] })
    runningBalance.apply(addition(entry))
    runningBalance.setScore(1_400n, none)
    expect(runningBalance.sums).toMatchObject({ mature: 200n, immature: 0n })
  })

  it('M6 counts UTXOs of a block above the last known score as immature until that score', () => {
    const runningBalance = createRunningBalance(1_000n)
    runningBalance.setScore(500n, none)
    expect(runningBalance.apply(addition(utxo(1, { blockDaaScore: 500n })))).toBe('known')
    expect(runningBalance.apply(addition(utxo(2, { blockDaaScore: 502n })))).toBe('ahead')
    expect(runningBalance.setScore(501n, none)).toBe('same')
    expect(runningBalance.sums).toMatchObject({ mature: 100n, immature: 200n })
    expect(runningBalance.setScore(502n, none)).toBe('changed')
    expect(runningBalance.sums).toMatchObject({ mature: 300n, immature: 0n })
  })

  it('F4 counts UTXOs that a covenant binds apart, and not those of scripts', () => {
    const runningBalance = createRunningBalance(1_000n)
    const bound = utxo(1, { covenantId: 'ab' })
    runningBalance.apply(addition(bound))
    runningBalance.apply({
      type: 'changed',
      address: scriptAddress,
      removed: [],
      added: [utxo(2, { address: scriptAddress })],
    })
    const ofScript = utxo(3, { address: scriptAddress, covenantId: 'ab' })
    runningBalance.apply({ type: 'changed', address: scriptAddress, removed: [], added: [ofScript] })
    expect(runningBalance.sums).toEqual({ mature: 200n, immature: 0n, bound: 100n })
    expect(runningBalance.sumsAmong([bound, ofScript])).toEqual({ mature: 0n, immature: 0n, bound: 100n })
    runningBalance.apply({ type: 'changed', address: ALICE, removed: [bound], added: [] })
    runningBalance.apply({ type: 'changed', address: scriptAddress, removed: [ofScript], added: [] })
    expect(runningBalance.sums).toEqual({ mature: 200n, immature: 0n, bound: 0n })
    expect(runningBalance.sumsOf(ALICE)).toEqual({ mature: 0n, immature: 0n, bound: 0n })
  })

  it('equals a recalculation after any changes', () => {
    const entry = fc
      .record({
        n: fc.integer({ min: 1, max: 8 }),
        score: fc.bigInt({ min: 0n, max: 30n }),
        isCoinbase: fc.boolean(),
        covenantId: fc.constantFrom(undefined, undefined, 'ab'),
      })
      .map(({ n, score, ...more }) => utxo(n, { blockDaaScore: score, ...more }))
    const entries = fc.array(entry, { maxLength: 8 })
    const step = fc.oneof(
      fc.record({ removed: entries, added: entries }),
      fc.record({ score: fc.bigInt({ min: 0n, max: 60n }) }),
      fc.record({ snapshot: entries }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const known = createSet()
        const runningBalance = createRunningBalance(10n)
        for (const one of steps) {
          if ('score' in one) runningBalance.setScore(one.score, () => [[ALICE, known.view()]])
          else if ('snapshot' in one) runningBalance.apply(replaceEntries(ALICE, known, one.snapshot, ANY_AMOUNT))
          else runningBalance.apply(applyDelta(ALICE, known, one.removed, one.added, ANY_AMOUNT).changes)
          let [mature, immature, bound] = [0n, 0n, 0n]
          for (const each of known.values()) {
            const isKnown = each.blockDaaScore <= runningBalance.score
            if (each.covenantId !== undefined) bound += each.amount
            else if (isKnown && isMature(each, runningBalance.score, 10n)) mature += each.amount
            else immature += each.amount
          }
          expect(runningBalance.sums).toEqual({ mature, immature, bound })
        }
      }),
    )
  })
})

it('a maturity queue returns due items once, lowest score first', () => {
  const byDue = (a: bigint, b: bigint): number => Number(a - b)
  fc.assert(
    fc.property(
      fc.array(fc.bigInt({ min: 0n, max: 50n })),
      fc.array(fc.bigInt({ min: 0n, max: 60n })),
      (dues, clock) => {
        const queue = createMaturityQueue<bigint>()
        dues.forEach((due) => queue.push(due, due))
        let left = [...dues].sort(byDue)
        for (const score of clock) {
          expect(queue.takeDue(score)).toEqual(left.filter((due) => due <= score))
          left = left.filter((due) => due > score)
        }
      },
    ),
  )
})
