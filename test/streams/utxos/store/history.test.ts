import fc from 'fast-check'
import { expect, it } from 'vitest'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import type { AddressSet } from '../../../../src/streams/utxos/store/address-set.js'
import { createUtxoSets, type UtxoSets } from '../../../../src/streams/utxos/store/utxo-sets.js'
import type { SetVersion } from '../../../../src/streams/utxos/store/history.js'
import { createCurrentEffects } from '../../../../src/streams/utxos/unconfirmed/effects.js'
import { createRecords } from '../../../../src/streams/utxos/unconfirmed/records.js'
import { createView } from '../../../../src/streams/utxos/view/view.js'
import { ALICE, BOB, utxo } from '../utxo-fixtures.js'
import { finish } from '../../../../src/loading/steps.js'
import { collectGarbage } from '../../../setup/collect-garbage.js'

const sorted = (entries: readonly UtxoEntry[]): UtxoEntry[] =>
  [...entries].sort((a, b) => Number(a.amount - b.amount || a.blockDaaScore - b.blockDaaScore))

/** The set of an address, loaded and live. */
function openLive(utxoSets: UtxoSets, address: string): AddressSet {
  const addressSet = utxoSets.open(address)
  for (const type of ['placed', 'fetchStarted'] as const) utxoSets.dispatch(addressSet, { type })
  utxoSets.load([addressSet], finish(utxoSets.prepare([])))
  return addressSet
}

it('a version can be read after any later change or removal', () => {
  const entry = fc
    .tuple(fc.integer({ min: 1, max: 9 }), fc.bigInt({ min: 1n, max: 3n }), fc.constantFrom(ALICE, BOB))
    .map(([n, blockDaaScore, address]) => utxo(address === ALICE ? n : n + 100, { blockDaaScore, address }))
  const entries = fc.array(entry, { maxLength: 5 })
  const step = fc.oneof(
    { weight: 6, arbitrary: fc.record({ removed: entries, added: entries }) },
    { weight: 1, arbitrary: fc.constant('drop' as const) },
    { weight: 1, arbitrary: fc.constant('burst' as const) },
  )
  fc.assert(
    fc.property(fc.array(step, { maxLength: 14 }), (steps) => {
      const utxoSets = createUtxoSets()
      openLive(utxoSets, ALICE)
      openLive(utxoSets, BOB)
      const versions: { version: SetVersion; all: UtxoEntry[] }[] = []
      const aliceEntries = (): UtxoEntry[] => utxoSets.all.get(ALICE)?.entries.values() ?? []
      for (const one of steps) {
        versions.push({ version: utxoSets.currentVersion(), all: aliceEntries() })
        if (one === 'drop') {
          for (const addressSet of [...utxoSets.all.values()]) utxoSets.remove(addressSet)
          openLive(utxoSets, ALICE)
        } else if (one === 'burst') {
          // enough to close a segment, so that older versions are read from a copy
          for (let n = 1_000; n < 1_600; n++) utxoSets.apply({ removed: [utxo(n - 1)], added: [utxo(n)] })
        } else {
          utxoSets.apply(one)
        }
      }
      for (const { version, all } of versions) expect(sorted(version.entriesOf([ALICE]))).toEqual(sorted(all))
    }),
    { numRuns: 60 },
  )
})

it('an unread version retains a bounded number of later changes', async () => {
  const utxoSets = createUtxoSets()
  const addressSet = openLive(utxoSets, ALICE)
  const version = utxoSets.currentVersion()
  const later = new WeakRef(replaceUtxos(utxoSets, 5_000))
  replaceUtxos(utxoSets, 5_000)
  await expect.poll(() => (collectGarbage(), later.deref() === undefined)).toBe(true)
  expect(version.entriesOf([ALICE])).toEqual([])
  expect(addressSet.entries.size).toBe(1)
})

it('a state retains no later change once its entries are read, and at most one segment before', async () => {
  const utxoSets = createUtxoSets()
  const addressSet = openLive(utxoSets, ALICE)
  const view = createView(
    utxoSets,
    createCurrentEffects(
      createRecords(() => undefined),
      utxoSets,
    ),
    { coinbaseMaturity: 1_000n, mempoolInterval: 0 },
  )
  view.add(addressSet)
  utxoSets.apply({ removed: [], added: [utxo(9_999)] })
  const read = view.state()
  expect(read.entries).toEqual([utxo(9_999)])
  utxoSets.apply({ removed: [utxo(9_999)], added: [utxo(9_998)] })
  const unread = view.state()
  const soon = new WeakRef(replaceUtxos(utxoSets, 10)) // still in the segment of `unread`
  const later = new WeakRef(replaceUtxos(utxoSets, 4_000))
  view.state()
  await expect.poll(() => (collectGarbage(), later.deref() === undefined)).toBe(true)
  expect(soon.deref()).toBeDefined()
  expect(unread.matureEntries).toEqual([utxo(9_998)])
  await expect.poll(() => (collectGarbage(), soon.deref() === undefined)).toBe(true)
  expect([read.entries.length, unread.entries.length]).toEqual([1, 1])
})

/** Adds UTXOs of which each replaces the previous one; returns one from the middle. */
function replaceUtxos(utxoSets: UtxoSets, utxos: number): UtxoEntry {
  const first = utxoSets.all.get(ALICE)?.entries.values() ?? []
  let last = first
  let middle = utxo(0)
  for (let n = 1; n <= utxos; n++) {
    const added = [utxo(n)]
    utxoSets.apply({ removed: last, added })
    if (n === utxos / 2) middle = added[0] ?? middle
    last = added
  }
  return middle
}
