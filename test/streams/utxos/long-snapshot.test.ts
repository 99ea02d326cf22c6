import fc from 'fast-check'
import { Observable, asyncScheduler, type Subscriber } from 'rxjs'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { finish } from '../../../src/loading/steps.js'
import { toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import { toOutpointKey, type UtxoEntry } from '../../../src/model/utxo.js'
import type { AddressSet } from '../../../src/streams/utxos/store/address-set.js'
import { createUtxoSets, type UtxoSets } from '../../../src/streams/utxos/store/utxo-sets.js'
import { runs } from '../../full.js'
import { createTrackers, toText } from './harness.js'
import { ALICE, utxo } from './utxo-fixtures.js'

/** More entries than some steps prepare. */
const COUNT = 9_000

const { outpoint, ...shared } = utxo(1)
const long = Array.from({ length: COUNT }, (_, n): UtxoEntry => {
  const transactionId = (n + 1).toString(16).padStart(64, '0')
  return { ...shared, outpoint: { ...outpoint, transactionId }, amount: 1n }
})
const [half, rest] = [long.slice(0, COUNT / 2), long.slice(COUNT / 2)]

const texts = (entries: Iterable<UtxoEntry>): string[] =>
  Array.from(entries, ({ outpoint, blockDaaScore }) => `${toOutpointKey(outpoint)} ${blockDaaScore}`).sort()

/** Some of the entries, spent, and new ones. */
const delta = fc
  .record({ spent: fc.uniqueArray(fc.nat({ max: COUNT - 1 }), { maxLength: 5 }), fresh: fc.nat({ max: 5 }) })
  .map(({ spent, fresh }) => ({ spent, fresh }))

/** Sets with a fetch in flight. */
function createSets(): { readonly utxoSets: UtxoSets; readonly alice: AddressSet } {
  const utxoSets = createUtxoSets({ seed: 5 })
  const alice = utxoSets.open(ALICE)
  for (const type of ['placed', 'fetchStarted'] as const) utxoSets.dispatch(alice, { type })
  return { utxoSets, alice }
}

describe('a long snapshot that is prepared in steps', () => {
  it('has, with the deltas between them, the entries of the node: the first snapshot and a later one', () => {
    fc.assert(
      fc.property(fc.array(delta, { minLength: 1, maxLength: 8 }), fc.boolean(), (deltas, isLater) => {
        const { utxoSets, alice } = createSets()
        if (isLater) {
          utxoSets.load([alice], finish(utxoSets.prepare(half)))
          for (const type of ['invalidated', 'fetchStarted'] as const) utxoSets.dispatch(alice, { type })
        }
        const model = new Map(long.map((entry) => [toOutpointKey(entry.outpoint), entry]))
        const steps = utxoSets.prepare(toUtxoColumns(isLater ? [...rest, ...half] : long) ?? [])
        let step = steps.next()
        for (const [at, { spent, fresh }] of deltas.entries()) {
          if (step.done !== true) step = steps.next()
          const removed = spent.flatMap((n) => long[n] ?? []).filter((one) => model.delete(toOutpointKey(one.outpoint)))
          const added = Array.from({ length: fresh }, (_, n) => utxo(2 * COUNT + 10 * at + n))
          for (const one of added) model.set(toOutpointKey(one.outpoint), one)
          utxoSets.apply({ removed, added })
        }
        utxoSets.load([alice], step.done === true ? step.value : finish(steps))
        expect(alice.phase.step).toBe('live')
        expect(texts(alice.entries.values())).toEqual(texts(model.values()))
      }),
      { numRuns: runs(4) },
    )
  })

  it('is not loaded where it was invalidated between two steps', () => {
    const { utxoSets, alice } = createSets()
    const steps = utxoSets.prepare(long)
    steps.next()
    utxoSets.dispatch(alice, { type: 'invalidated' })
    utxoSets.load([alice], finish(steps))
    expect([alice.phase.step, alice.entries.size]).toEqual(['due', 0])
  })
})

describe('a tracker of an address with many UTXOs', () => {
  afterEach(() => vi.restoreAllMocks())

  it('is loading until all slices are done, and has the deltas that arrived between them', async () => {
    let time = performance.now()
    vi.spyOn(performance, 'now').mockImplementation(() => (time += 10)) // every step is a slice
    const { utxos, node, connect, link, notifyChange } = createTrackers(asyncScheduler)
    const phases: string[] = []
    const respond = (subscriber: Subscriber<{ entries: readonly UtxoEntry[] }>): void => {
      subscriber.next({ entries: long }) // does the first slice
      phases.push(utxos.sets.all.get(ALICE)?.phase.step ?? 'none')
      notifyChange(long.slice(0, 2), [utxo(2 * COUNT, { amount: 7n })])
    }
    node.respond('getUtxosByAddresses', () => new Observable(respond))
    const states: string[] = []
    utxos.tracker([ALICE], { mempoolInterval: 0 }).state$.subscribe((state) => states.push(toText(state)))
    connect()
    await expect.poll(() => states.at(-1)).toBe(`fresh ${COUNT - 2 + 7}`)
    expect(phases).toEqual(['fetching'])
    expect(states.filter((state) => state.startsWith('fresh'))).toEqual([`fresh ${COUNT - 2 + 7}`])
    link.dispose()
  })
})

describe('UTXO sets after many changes', () => {
  it('report a set whose changes are due to be merged, until it is merged', () => {
    const { utxoSets, alice } = createSets()
    const due: string[] = []
    utxoSets.mergeDue$.subscribe(({ address }) => due.push(address))
    utxoSets.load([alice], finish(utxoSets.prepare(toUtxoColumns(long) ?? [])))
    utxoSets.apply({ removed: long.slice(0, 3_000), added: [] })
    expect(due).toEqual([])
    utxoSets.apply({ removed: long.slice(3_000, 5_000), added: [] })
    expect(due).toEqual([ALICE])
    finish(alice.entries.merge())
    expect(alice.entries.isMergeDue).toBe(false)
    expect(texts(alice.entries.values())).toEqual(texts(long.slice(5_000)))
  })
})
