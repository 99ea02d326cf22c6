import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import { OutpointMap } from '../../../src/streams/utxos/outpoint-map.js'
import { coin } from './coins.js'

const byKey = (a: UtxoEntry, b: UtxoEntry): number =>
  toOutpointKey(a.outpoint).localeCompare(toOutpointKey(b.outpoint)) || Number(a.blockDaaScore - b.blockDaaScore)

describe('a map of entries by outpoint', () => {
  it('is what a Map with text keys would be, whatever is put in and taken out, while it grows and shrinks', () => {
    const step = fc.record({
      what: fc.constantFrom('put' as const, 'put' as const, 'take' as const, 'get' as const),
      // a span of coins at a time, so that it outgrows its slots and falls short of them
      from: fc.integer({ min: 0, max: 60 }),
      count: fc.integer({ min: 1, max: 60 }),
      index: fc.integer({ min: 0, max: 2 }),
      score: fc.bigInt({ min: 0n, max: 3n }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), fc.integer(), (steps, seed) => {
        const map = new OutpointMap(seed)
        const model = new Map<OutpointKey, UtxoEntry>()
        for (const { what, from, count, index, score } of steps) {
          for (let n = from; n < from + count; n++) {
            const outpoint = { ...coin(n).outpoint, index }
            const entry = coin(n, { outpoint, blockDaaScore: score })
            const key = toOutpointKey(outpoint)
            const was = what === 'put' ? map.put(entry) : map[what](outpoint)
            expect(was).toBe(model.get(key))
            if (what === 'put') model.set(key, entry)
            if (what === 'take') model.delete(key)
          }
          expect(map.size).toBe(model.size)
        }
        expect(map.values().sort(byKey)).toEqual([...model.values()].sort(byKey))
      }),
    )
  })

  it('is the same whether it is filled at once or entry by entry, also where an outpoint is named twice', () => {
    const named = fc.record({ n: fc.integer({ min: 0, max: 40 }), score: fc.bigInt({ min: 0n, max: 3n }) })
    fc.assert(
      fc.property(fc.array(named, { maxLength: 60 }), fc.integer(), (list, seed) => {
        const entries = list.map(({ n, score }) => coin(n, { blockDaaScore: score }))
        const [filled, put] = [new OutpointMap(seed), new OutpointMap(seed)]
        filled.fill(entries)
        for (const entry of entries) put.put(entry)
        expect(filled.size).toBe(put.size)
        expect(filled.values().sort(byKey)).toEqual(put.values().sort(byKey))
        for (const { outpoint } of entries) expect(filled.take(outpoint)).toBe(put.take(outpoint))
        expect(filled.size).toBe(0)
      }),
    )
  })

  it('tells outpoints of one transaction apart, and transactions that differ in the last digit only', () => {
    const map = new OutpointMap()
    const entries = [0, 1].flatMap((n) => [0, 1].map((index) => coin(n, { outpoint: { ...coin(n).outpoint, index } })))
    for (const entry of entries) map.put(entry)
    for (const entry of entries) expect(map.get(entry.outpoint)).toBe(entry)
  })
})
