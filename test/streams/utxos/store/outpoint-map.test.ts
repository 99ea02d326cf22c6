import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../../src/model/utxo.js'
import { createMap, utxo } from '../utxo-fixtures.js'

const byKey = (a: UtxoEntry, b: UtxoEntry): number =>
  toOutpointKey(a.outpoint).localeCompare(toOutpointKey(b.outpoint)) || Number(a.blockDaaScore - b.blockDaaScore)

describe('OutpointMap', () => {
  it('behaves as a Map with string keys, while it grows and shrinks', () => {
    const step = fc.record({
      what: fc.constantFrom('put' as const, 'put' as const, 'remove' as const, 'get' as const),
      // several entries per step, so that the map grows and shrinks
      from: fc.integer({ min: 0, max: 60 }),
      count: fc.integer({ min: 1, max: 60 }),
      index: fc.integer({ min: 0, max: 2 }),
      score: fc.bigInt({ min: 0n, max: 3n }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer(), (steps, seed) => {
        const map = createMap(seed)
        const model = new Map<OutpointKey, UtxoEntry>()
        for (const { what, from, count, index, score } of steps) {
          for (let n = from; n < from + count; n++) {
            const outpoint = { ...utxo(n).outpoint, index }
            const entry = utxo(n, { outpoint, blockDaaScore: score })
            const key = toOutpointKey(outpoint)
            const previous = what === 'put' ? map.put(entry) : map[what](outpoint)
            expect(previous).toBe(model.get(key))
            if (what === 'put') model.set(key, entry)
            if (what === 'remove') model.delete(key)
          }
          expect(map.size).toBe(model.size)
        }
        expect(map.values().sort(byKey)).toEqual([...model.values()].sort(byKey))
      }),
    )
  })

  it('is the same whether filled at once or entry by entry, also with duplicate outpoints', () => {
    const named = fc.record({ n: fc.integer({ min: 0, max: 40 }), score: fc.bigInt({ min: 0n, max: 3n }) })
    fc.assert(
      fc.property(fc.array(named, { maxLength: 60 }), fc.integer(), (list, seed) => {
        const entries = list.map(({ n, score }) => utxo(n, { blockDaaScore: score }))
        const [filled, put] = [createMap(seed), createMap(seed)]
        filled.fill(entries)
        for (const entry of entries) put.put(entry)
        expect(filled.size).toBe(put.size)
        expect(filled.values().sort(byKey)).toEqual(put.values().sort(byKey))
        for (const { outpoint } of entries) expect(filled.remove(outpoint)).toBe(put.remove(outpoint))
        expect(filled.size).toBe(0)
      }),
    )
  })

  it('distinguishes outpoints of one transaction, and ids that differ in the last digit', () => {
    const map = createMap()
    const entries = [0, 1].flatMap((n) => [0, 1].map((index) => utxo(n, { outpoint: { ...utxo(n).outpoint, index } })))
    for (const entry of entries) map.put(entry)
    for (const entry of entries) expect(map.get(entry.outpoint)).toBe(entry)
  })
})
