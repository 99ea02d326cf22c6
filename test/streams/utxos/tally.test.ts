import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isMature } from '../../../src/model/maturity.js'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { applyDelta, replaceEntries } from '../../../src/streams/utxos/entry-changes.js'
import { createMaturityQueue } from '../../../src/streams/utxos/maturity-queue.js'
import { OutpointMap } from '../../../src/streams/utxos/outpoint-map.js'
import { createTally } from '../../../src/streams/utxos/tally.js'
import { ALICE, coin } from './coins.js'

const arrival = (...come: readonly UtxoEntry[]) => ({ gone: [], come })
const mined = (n: number, blockDaaScore: bigint) => coin(n, { isCoinbase: true, blockDaaScore })
const none = () => []

describe('a tally', () => {
  it('counts ordinary coins as mature at once, and mined ones as pending until they have ripened', () => {
    const tally = createTally(1_000n)
    tally.moveTo(500n, none)
    tally.apply(arrival(coin(1), mined(2, 400n)))
    expect(tally.balance()).toEqual({ mature: 100n, pending: 200n, outgoing: 0n })
  })

  it('lets a coin ripen exactly when its maturity has passed, not one later', () => {
    const tally = createTally(1_000n)
    tally.apply(arrival(mined(2, 400n)))
    expect(tally.moveTo(1_399n, none)).toBe('same')
    expect(tally.balance()).toMatchObject({ mature: 0n, pending: 200n })
    expect(tally.moveTo(1_400n, none)).toBe('changed')
    expect(tally.balance()).toMatchObject({ mature: 200n, pending: 0n })
  })

  it('lets a coin ripen once, though it left and came back', () => {
    const tally = createTally(1_000n)
    const entry = mined(2, 400n)
    tally.apply(arrival(entry))
    tally.apply({ gone: [entry], come: [] })
    tally.apply(arrival(entry))
    tally.moveTo(1_400n, none)
    expect(tally.balance()).toMatchObject({ mature: 200n, pending: 0n })
  })

  it('counts coins that a covenant binds nowhere', () => {
    const tally = createTally(1_000n)
    tally.apply(arrival(coin(1, { covenantId: 'ab' })))
    expect(tally.balance()).toEqual({ mature: 0n, pending: 0n, outgoing: 0n })
  })

  it('adds to pending what is on its way', () => {
    const tally = createTally(1_000n)
    tally.addIncoming(70n)
    expect(tally.balance()).toMatchObject({ pending: 70n })
  })

  it('is what adding everything up anew would come to, whatever has happened', () => {
    const entry = fc
      .record({ n: fc.integer({ min: 1, max: 8 }), score: fc.bigInt({ min: 0n, max: 30n }), isCoinbase: fc.boolean() })
      .map(({ n, score, isCoinbase }) => coin(n, { blockDaaScore: score, isCoinbase }))
    const entries = fc.array(entry, { maxLength: 8 })
    const step = fc.oneof(
      fc.record({ removed: entries, added: entries }),
      fc.record({ score: fc.bigInt({ min: 0n, max: 60n }) }),
      fc.record({ snapshot: entries }),
    )
    fc.assert(
      fc.property(fc.array(step, { maxLength: 20 }), (steps) => {
        const known = new OutpointMap()
        const tally = createTally(10n)
        for (const one of steps) {
          if ('score' in one) tally.moveTo(one.score, () => known.values())
          else if ('snapshot' in one) tally.apply(replaceEntries(ALICE, known, one.snapshot))
          else tally.apply(applyDelta(ALICE, known, one.removed, one.added).changes)
          let [mature, pending] = [0n, 0n]
          for (const each of known.values()) {
            if (isMature(each, tally.score, 10n)) mature += each.amount
            else pending += each.amount
          }
          expect(tally.balance()).toEqual({ mature, pending, outgoing: 0n })
        }
      }),
    )
  })
})

it('a maturity queue gives out what is due, the earliest first, and each once', () => {
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
