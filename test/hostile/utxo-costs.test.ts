import { describe, expect, it } from 'vitest'
import type { Outpoint, UtxoEntry } from '../../src/model/utxo.js'
import { bufferDelta, toDeltas, type BufferedDeltas } from '../../src/streams/utxos/store/delta.js'
import { createOutpointHash } from '../../src/streams/utxos/store/outpoint-hash.js'
import { OutpointMap } from '../../src/streams/utxos/store/outpoint-map.js'
import { MAX_BUFFERED } from '../../src/streams/utxos/store/address-set.js'
import { createUtxoSets } from '../../src/streams/utxos/store/utxo-sets.js'
import { ALICE, utxo } from '../streams/utxos/utxo-fixtures.js'

const COUNT = 4_096
const id = (n: number): string => n.toString(16).padStart(8, '0')

/** Outpoints that an attacker may choose so that they collide in a hash of a part of them. */
const SIMILAR: Readonly<Record<string, (n: number) => Outpoint>> = {
  'that share all but the first 8 digits': (n) => ({ transactionId: id(n).padEnd(64, 'a'), index: 0 }),
  'that share all but the last 8 digits': (n) => ({ transactionId: id(n).padStart(64, 'a'), index: 0 }),
  'that share the first and the last 24 digits': (n) => ({
    transactionId: 'a'.repeat(28) + id(n) + 'a'.repeat(28),
    index: 0,
  }),
  'of one transaction': (n) => ({ transactionId: 'a'.repeat(64), index: n }),
  'of one transaction, with indexes that differ in high bits': (n) => ({
    transactionId: 'a'.repeat(64),
    index: (n << 20) >>> 0,
  }),
}

describe('A3: outpoints', () => {
  it.each(Object.entries(SIMILAR))('%s cost a constant number of probes each', (_, outpointOf) => {
    for (const seed of [0, 1, 0xdead_beef]) {
      const hash = createOutpointHash(seed)
      const hashes = Array.from({ length: COUNT }, (_, n) => hash(outpointOf(n)))
      expect(linearProbes(hashes)).toBeLessThan(4 * COUNT)
      expect(new Set(hashes).size).toBeGreaterThan(COUNT - 10)
    }
  })

  it.each(Object.entries(SIMILAR))('%s are compared at most once each', (_, outpointOf) => {
    let comparisons = 0
    const entries = Array.from({ length: COUNT }, (_, n): UtxoEntry => {
      const { transactionId, index } = outpointOf(n)
      const outpoint = {
        transactionId,
        get index() {
          comparisons++
          return index
        },
      }
      return utxo(1, { outpoint })
    })
    const map = new OutpointMap(createOutpointHash(5))
    for (const entry of entries) map.put(entry)
    const inserting = comparisons
    comparisons = 0
    for (const entry of entries) expect(map.get(entry.outpoint)).toBe(entry)
    expect(inserting).toBeLessThan(3 * COUNT)
    expect(comparisons).toBeLessThan(5 * COUNT)
  })

  it('have another hash with another seed', () => {
    const outpoint = utxo(1).outpoint
    expect(createOutpointHash(1)(outpoint)).not.toBe(createOutpointHash(2)(outpoint))
  })
})

/** Probes to insert the hashes into a half-empty table by linear probing. */
function linearProbes(hashes: readonly number[]): number {
  const mask = 2 * hashes.length - 1
  const taken = new Set<number>()
  let probes = 0
  for (const hash of hashes) {
    let slot = hash & mask
    for (probes++; taken.has(slot); probes++) slot = (slot + 1) & mask
    taken.add(slot)
  }
  return probes
}

describe('A4: notifications during a fetch', () => {
  it('are buffered in constant time each, without a copy of the earlier ones', () => {
    const deltas = Array.from({ length: 1_000 }, (_, n) => ({ removed: [], added: [utxo(n + 1)] }))
    let buffered: BufferedDeltas = null
    for (const delta of deltas) {
      const earlier: BufferedDeltas = buffered
      buffered = bufferDelta(earlier, delta, 'consistent')
      expect(buffered?.earlier).toBe(earlier)
    }
    expect(toDeltas(buffered)).toEqual(deltas)
  })

  it('above the bound of all addresses together make the sets due again', () => {
    const utxoSets = createUtxoSets()
    const set = utxoSets.open(ALICE)
    for (const type of ['placed', 'fetchStarted'] as const) utxoSets.dispatch(set, { type })
    const removed = Array.from({ length: MAX_BUFFERED / 2 }, (_, n) => utxo(n + 1))
    utxoSets.apply({ removed, added: [] })
    utxoSets.apply({ removed, added: [] })
    expect(set.phase.step).toBe('fetching')
    utxoSets.apply({ removed: [utxo(1)], added: [] })
    expect(set.phase).toEqual({ step: 'due', content: 'unloaded' })
  })
})
