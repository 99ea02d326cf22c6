import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { applyDelta, replaceEntries } from '../../../../src/streams/utxos/store/entry-changes.js'
import type { EntrySet } from '../../../../src/streams/utxos/store/entry-set.js'
import { ALICE, ANY_AMOUNT, createSet, utxo } from '../utxo-fixtures.js'

function entriesOf(...utxos: readonly UtxoEntry[]): EntrySet {
  const entries = createSet()
  for (const one of utxos) entries.put(one)
  return entries
}

const apply = (entries: EntrySet, removed: UtxoEntry[], added: UtxoEntry[]) =>
  applyDelta(ALICE, entries, removed, added, ANY_AMOUNT)

describe('applyDelta and replaceEntries', () => {
  it('removes spent entries and adds received ones', () => {
    const entries = entriesOf(utxo(1), utxo(2))
    const { changes, consistency } = apply(entries, [utxo(1)], [utxo(3)])
    expect(amounts(entries.values())).toEqual(amounts([utxo(2), utxo(3)]))
    expect(changes).toEqual({ type: 'changed', address: ALICE, removed: [utxo(1)], added: [utxo(3)] })
    expect(consistency).toBe('consistent')
  })

  it('updates the DAA score of an outpoint in both lists', () => {
    const entries = entriesOf(utxo(1))
    const { changes, consistency } = apply(entries, [utxo(1)], [utxo(1, { blockDaaScore: 12n })])
    expect(changes).toMatchObject({ removed: [{ blockDaaScore: 0n }], added: [{ blockDaaScore: 12n }] })
    expect(consistency).toBe('consistent')
  })

  it('ignores a duplicate, but reports it as inconsistent', () => {
    const entries = entriesOf(utxo(1), utxo(2))
    apply(entries, [utxo(1)], [utxo(3)])
    const { changes, consistency } = apply(entries, [utxo(1)], [utxo(3)])
    expect(changes).toMatchObject({ removed: [], added: [] })
    expect(consistency).toBe('inconsistent')
  })

  it('reports the first and the last state of an entry that is added twice', () => {
    const entries = entriesOf(utxo(1))
    const { changes } = apply(entries, [], [utxo(1, { blockDaaScore: 11n }), utxo(1, { blockDaaScore: 12n })])
    expect(changes).toMatchObject({ removed: [{ blockDaaScore: 0n }], added: [{ blockDaaScore: 12n }] })
  })

  it('reports a whole first snapshot, with each outpoint once', () => {
    const entries = createSet()
    const { removed, added } = replaceEntries(
      ALICE,
      entries,
      [utxo(1), utxo(2), utxo(1, { blockDaaScore: 11n })],
      ANY_AMOUNT,
    )
    expect(removed).toEqual([])
    expect(amounts(added)).toEqual(amounts([utxo(1, { blockDaaScore: 11n }), utxo(2)]))
    expect(amounts(entries.values())).toEqual(amounts(added))
  })

  it.each([
    ['removes an unknown entry', [utxo(9)], []],
    ['adds a known entry', [], [utxo(1)]],
    ['removes an entry with another DAA score', [utxo(1, { blockDaaScore: 99n })], []],
  ])('is inconsistent where it %s', (_, removed, added) => {
    expect(apply(entriesOf(utxo(1)), removed, added).consistency).toBe('inconsistent')
  })

  it('keeps the object of an unchanged entry', () => {
    const [one] = [utxo(1)]
    const entries = entriesOf(one)
    replaceEntries(ALICE, entries, [utxo(1), utxo(2)], ANY_AMOUNT)
    expect(entries.get(one.outpoint)).toBe(one)
  })

  it('leaves all other entries untouched', () => {
    const entries = entriesOf(...Array.from({ length: 1_000 }, (_, n) => utxo(n)))
    const before = [...entries.values()]
    apply(entries, [utxo(500)], [utxo(5_000)])
    expect([...entries.values()].filter((entry, at) => entry !== before[at] && entry !== before[at + 1])).toHaveLength(
      1,
    )
  })
})

/** Few UTXOs in few variants, so that deltas overlap. */
const utxos = fc.array(
  fc
    .record({ n: fc.integer({ min: 1, max: 6 }), score: fc.bigInt({ min: 1n, max: 3n }) })
    .map(({ n, score }) => utxo(n, { blockDaaScore: score })),
  { maxLength: 6 },
)

const amounts = (entries: Iterable<UtxoEntry>) =>
  new Set([...entries].map((one) => `${one.amount} since ${one.blockDaaScore}`))

describe('applyDelta with arbitrary deltas', () => {
  it('the entries equal those of a plain map', () => {
    fc.assert(
      fc.property(utxos, fc.array(fc.tuple(utxos, utxos), { maxLength: 8 }), (first, deltas) => {
        const entries = createSet()
        const model = new Map<string, UtxoEntry>()
        replaceEntries(ALICE, entries, first, ANY_AMOUNT)
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

  it('the changes lead from the entries before to the entries after', () => {
    fc.assert(
      fc.property(utxos, utxos, utxos, (first, removed, added) => {
        const entries = entriesOf(...first)
        const known = entriesOf(...first)
        const { changes } = apply(entries, removed, added)
        for (const entry of changes.removed) expect(known.remove(entry.outpoint)).toBe(entry)
        for (const entry of changes.added) expect(known.put(entry)).toBeUndefined()
        expect(amounts(known.values())).toEqual(amounts(entries.values()))
      }),
    )
  })
})
