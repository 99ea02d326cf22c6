import { describe, expect, it } from 'vitest'
import { finish } from '../../../../src/loading/steps.js'
import type { UtxoEntry } from '../../../../src/model/utxo.js'
import { applyDelta, replaceEntries } from '../../../../src/streams/utxos/store/entry-changes.js'
import { EntrySet } from '../../../../src/streams/utxos/store/entry-set.js'
import { createOutpointHash } from '../../../../src/streams/utxos/store/outpoint-hash.js'
import { hasEntryAbove, prepareSnapshot } from '../../../../src/streams/utxos/store/snapshot.js'
import { toUtxoColumns } from '../../../../src/model/utxo-columns/records.js'
import { ALICE, ANY_AMOUNT, BOB, utxo } from '../utxo-fixtures.js'

const hash = createOutpointHash(3)
const scripts = new Map([ALICE, BOB].map((address) => [address, { script: utxo(1, { address }).scriptPublicKey }]))
const prepare = (entries: readonly UtxoEntry[]) => finish(prepareSnapshot(entries, scripts, hash))

const utxos = (count: number): UtxoEntry[] => Array.from({ length: count }, (_, n) => utxo(n + 1))

/** Loads a snapshot of Alice's entries. */
const load = (set: EntrySet, entries: readonly UtxoEntry[]) =>
  replaceEntries(ALICE, set, prepare(entries).get(ALICE)?.entries ?? [], ANY_AMOUNT)

describe('an EntrySet', () => {
  it('keeps the entries that are left where most rows were removed', () => {
    const set = new EntrySet(hash)
    load(set, utxos(100))
    for (const { outpoint } of utxos(98)) set.remove(outpoint)
    expect(set.values()).toEqual([utxo(99), utxo(100)])
    expect(set.get(utxo(99).outpoint)).toEqual(utxo(99))
  })

  it('keeps an entry that was spent, added again by a reorg, and is in the next snapshot', () => {
    const set = new EntrySet(hash)
    load(set, utxos(3))
    applyDelta(ALICE, set, [utxo(2)], [], ANY_AMOUNT)
    applyDelta(ALICE, set, [], [utxo(2)], ANY_AMOUNT)
    const changes = load(set, utxos(3))
    expect([changes.removed, changes.added]).toEqual([[], []])
    expect(set.size).toBe(3)
    expect(set.get(utxo(2).outpoint)).toEqual(utxo(2))
  })

  it('discards a merge during which it was cleared and loaded again', () => {
    const set = new EntrySet(hash)
    load(set, utxos(3))
    const steps = set.merge()
    steps.next()
    set.clear()
    load(set, [utxo(7)])
    finish(steps)
    expect(set.values()).toEqual([utxo(7)])
  })

  it('stays as it is where columns cannot hold its records', () => {
    const set = new EntrySet(hash)
    const odd = utxo(1, { outpoint: { transactionId: 'first', index: 0 } })
    set.put(odd)
    finish(set.merge())
    expect(set.values()).toEqual([odd])
  })

  it('updates a covenant that an earlier snapshot did not report', () => {
    const set = new EntrySet(hash)
    load(set, utxos(2))
    const bound = utxo(1, { covenantId: 'cd'.repeat(32) })
    load(set, [bound, utxo(2)])
    expect(set.get(bound.outpoint)).toEqual(bound)
  })
})

describe('a prepared snapshot', () => {
  it('contains entries by address, without foreign scripts, impossible amounts and unknown addresses', () => {
    const ofBob = utxo(5, { address: BOB })
    const foreign = utxo(6, { scriptPublicKey: ofBob.scriptPublicKey })
    const [none, huge] = [utxo(7, { amount: 0n }), utxo(8, { amount: 2n ** 63n })]
    const prepared = prepare([utxo(1), foreign, none, ofBob, huge, utxo(2), utxo(3, { address: undefined })])
    expect(prepared.get(ALICE)).toMatchObject({
      invalid: [
        { outpoint: foreign.outpoint, reason: 'script' },
        { outpoint: none.outpoint, reason: 'amount' },
        { outpoint: huge.outpoint, reason: 'amount' },
      ],
      sum: 300n,
    })
    expect(prepared.get(BOB)).toMatchObject({ invalid: [], sum: 500n })
    expect([...prepared.keys()]).toEqual([ALICE, BOB])
  })

  it('contains records where ids are no hashes, or an outpoint repeats', () => {
    const odd = [utxo(1, { outpoint: { transactionId: 'first', index: 0 } })]
    expect(prepare(odd).get(ALICE)?.entries).toEqual(odd)
    const doubled = [utxo(1), utxo(1, { blockDaaScore: 4n })]
    expect(prepare(doubled).get(ALICE)?.entries).toEqual(doubled)
  })

  it('is indexed in several steps where it is long', () => {
    const steps = prepareSnapshot(utxos(40_000), scripts, hash)
    let count = 0
    for (let step = steps.next(); step.done !== true; step = steps.next()) count++
    expect(count).toBeGreaterThan(1)
  })

  it('is ahead of a DAA score that one of its blocks is above', () => {
    const entries = [utxo(1, { blockDaaScore: 2n ** 32n }), utxo(2, { blockDaaScore: 2n ** 33n + 1n })]
    for (const snapshot of [entries, toUtxoColumns(entries) ?? []]) {
      expect(hasEntryAbove(snapshot, 2n ** 33n)).toBe(true)
      expect(hasEntryAbove(snapshot, 2n ** 33n + 1n)).toBe(false)
    }
  })
})
