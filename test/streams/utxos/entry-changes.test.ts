import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../src/model/utxo.js'
import { applyDelta, replaceEntries } from '../../../src/streams/utxos/entry-changes.js'
import { OutpointMap } from '../../../src/streams/utxos/outpoint-map.js'
import { ALICE, coin } from './coins.js'

function entriesOf(...coins: readonly UtxoEntry[]): OutpointMap {
  const entries = new OutpointMap()
  for (const one of coins) entries.put(one)
  return entries
}

const apply = (entries: OutpointMap, removed: UtxoEntry[], added: UtxoEntry[]) =>
  applyDelta(ALICE, entries, removed, added)

describe('a change of the entries', () => {
  it('takes away what is spent and adds what is received', () => {
    const entries = entriesOf(coin(1), coin(2))
    const { changes, fit } = apply(entries, [coin(1)], [coin(3)])
    expect(amounts(entries.values())).toEqual(amounts([coin(2), coin(3)]))
    expect(changes).toEqual({ address: ALICE, gone: [coin(1)], come: [coin(3)] })
    expect(fit).toBe('in-order')
  })

  it('is an update where one outpoint stands in both lists: the coin stays, its DAA score has changed', () => {
    const entries = entriesOf(coin(1))
    const { changes, fit } = apply(entries, [coin(1)], [coin(1, { blockDaaScore: 12n })])
    expect(changes).toMatchObject({ gone: [{ blockDaaScore: 10n }], come: [{ blockDaaScore: 12n }] })
    expect(fit).toBe('in-order')
  })

  it('does no harm when it is heard twice, but leaves a doubt', () => {
    const entries = entriesOf(coin(1), coin(2))
    apply(entries, [coin(1)], [coin(3)])
    const { changes, fit } = apply(entries, [coin(1)], [coin(3)])
    expect(changes).toMatchObject({ gone: [], come: [] })
    expect(fit).toBe('doubtful')
  })

  it('says of a coin that is told of twice what it was first and what it is last', () => {
    const entries = entriesOf(coin(1))
    const { changes } = apply(entries, [], [coin(1, { blockDaaScore: 11n }), coin(1, { blockDaaScore: 12n })])
    expect(changes).toMatchObject({ gone: [{ blockDaaScore: 10n }], come: [{ blockDaaScore: 12n }] })
  })

  it('is all of a first snapshot, and each outpoint once though it is named twice', () => {
    const entries = new OutpointMap()
    const { gone, come } = replaceEntries(ALICE, entries, [coin(1), coin(2), coin(1, { blockDaaScore: 11n })])
    expect(gone).toEqual([])
    expect(amounts(come)).toEqual(amounts([coin(1, { blockDaaScore: 11n }), coin(2)]))
    expect(amounts(entries.values())).toEqual(amounts(come))
  })

  it.each([
    ['takes away what is not there', [coin(9)], []],
    ['adds what is there', [], [coin(1)]],
    ['takes away what looks different', [coin(1, { blockDaaScore: 99n })], []],
  ])('leaves a doubt where it %s', (_, removed, added) => {
    expect(apply(entriesOf(coin(1)), removed, added).fit).toBe('doubtful')
  })

  it('keeps the object of a coin that has not changed', () => {
    const [one] = [coin(1)]
    const entries = entriesOf(one)
    replaceEntries(ALICE, entries, [coin(1), coin(2)])
    expect(entries.get(one.outpoint)).toBe(one)
  })

  it('costs what the change is large, not what the entries are many: nothing else is touched', () => {
    const entries = entriesOf(...Array.from({ length: 1_000 }, (_, n) => coin(n)))
    const before = [...entries.values()]
    apply(entries, [coin(500)], [coin(5_000)])
    expect([...entries.values()].filter((entry, at) => entry !== before[at] && entry !== before[at + 1])).toHaveLength(
      1,
    )
  })
})

/** A few coins, in a few variants, so that they meet. */
const coins = fc.array(
  fc
    .record({ n: fc.integer({ min: 1, max: 6 }), score: fc.bigInt({ min: 1n, max: 3n }) })
    .map(({ n, score }) => coin(n, { blockDaaScore: score })),
  { maxLength: 6 },
)

const amounts = (entries: Iterable<UtxoEntry>) =>
  new Set([...entries].map((one) => `${one.amount} since ${one.blockDaaScore}`))

describe('whatever is told, in whatever order', () => {
  it('the entries are what a plain set would hold', () => {
    fc.assert(
      fc.property(coins, fc.array(fc.tuple(coins, coins), { maxLength: 8 }), (first, deltas) => {
        const entries = new OutpointMap()
        const model = new Map<string, UtxoEntry>()
        replaceEntries(ALICE, entries, first)
        first.forEach((one) => model.set(one.outpoint.transactionId, one))
        for (const [removed, added] of deltas) {
          apply(entries, removed, added)
          removed.forEach((one) => model.delete(one.outpoint.transactionId))
          added.forEach((one) => model.set(one.outpoint.transactionId, one))
        }
        expect(amounts(entries.values())).toEqual(amounts(model.values()))
      }),
    )
  })

  it('the changes lead from what was known before to what is known after', () => {
    fc.assert(
      fc.property(coins, coins, coins, (first, removed, added) => {
        const entries = entriesOf(...first)
        const known = entriesOf(...first)
        const { gone, come } = apply(entries, removed, added).changes
        for (const entry of gone) expect(known.take(entry.outpoint)).toBe(entry)
        for (const entry of come) expect(known.put(entry)).toBeUndefined()
        expect(amounts(known.values())).toEqual(amounts(entries.values()))
      }),
    )
  })
})
