import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../../../../src/loading/steps.js'
import { isMature } from '../../../../src/model/spendable.js'
import type { UtxoColumns } from '../../../../src/model/utxo-columns/columns.js'
import { toEntry } from '../../../../src/model/utxo-columns/records.js'
import { createUtxoRows } from '../../../../src/model/utxo-source/rows.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../../src/model/utxo.js'
import { applyDelta, replaceEntries, type EntryChanges } from '../../../../src/streams/utxos/store/entry-changes.js'
import { EntrySet } from '../../../../src/streams/utxos/store/entry-set.js'
import type { EntryView } from '../../../../src/streams/utxos/store/entry-view.js'
import { createHistory, type SetVersion } from '../../../../src/streams/utxos/store/history.js'
import { createOutpointHash, type OutpointHash } from '../../../../src/streams/utxos/store/outpoint-hash.js'
import { createRunningBalance } from '../../../../src/streams/utxos/view/running-balance.js'
import { prepareSnapshot, type AddressSnapshot } from '../../../../src/streams/utxos/store/snapshot.js'
import { runs } from '../../../full.js'
import { ALICE, ANY_AMOUNT, utxo } from '../utxo-fixtures.js'

const MATURITY = 10n

const constantHash = (hash: number): OutpointHash =>
  Object.assign(() => hash, {
    ofRow: () => hash,
    ofRows: (_: UtxoColumns, __: number, hashes: Int32Array) => void hashes.fill(hash),
  })

const hashes = fc.constantFrom<[string, OutpointHash]>(
  ['keyed', createOutpointHash(7)],
  ['colliding', constantHash(0)],
  ['negative', constantHash(-1)],
)

/** Few outpoints of few transactions in few variants, so that histories overlap. Amounts follow from the outpoint. */
const entry = fc
  .record({
    n: fc.integer({ min: 1, max: 12 }),
    index: fc.constantFrom(0, 1, 0xffff_ffff),
    score: fc.constantFrom(0n, 5n, 30n),
    isCoinbase: fc.boolean(),
    covenantId: fc.constantFrom(undefined, undefined, undefined, 'ab'.repeat(32)),
  })
  .map(({ n, index, score, isCoinbase, covenantId }): UtxoEntry => {
    const transactionId = n.toString(16).padStart(64, n % 2 === 0 ? 'a' : '0')
    const amount = BigInt(n * 3 + (index & 3)) * 2n ** 31n
    return utxo(n, { outpoint: { transactionId, index }, amount, blockDaaScore: score, isCoinbase, covenantId })
  })
const entries = fc.array(entry, { maxLength: 6 })

/** Most snapshots contain each outpoint once: only those are loaded as columns. */
const snapshot = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.uniqueArray(entry, { selector: ({ outpoint }) => toOutpointKey(outpoint), maxLength: 36 }),
  },
  { weight: 1, arbitrary: entries },
)

interface Delta {
  readonly removed: readonly UtxoEntry[]
  readonly added: readonly UtxoEntry[]
}

const deltas = fc.array(fc.record<Delta>({ removed: entries, added: entries }), { maxLength: 3 })

type Step =
  /** `during`: deltas between the preparation of the snapshot and its use. */
  | { readonly action: 'snapshot'; readonly entries: readonly UtxoEntry[]; readonly during: readonly Delta[] }
  /** Deltas between the steps of a merge, which may be abandoned after some of them, or ended by a snapshot. */
  | { readonly action: 'merge'; readonly during: readonly Delta[]; readonly end: 'finish' | 'abandon' | 'snapshot' }
  | { readonly action: 'delta'; readonly removed: readonly UtxoEntry[]; readonly added: readonly UtxoEntry[] }
  /** A snapshot of the current entries, some of them missing or with another DAA score, and new ones. */
  | {
      readonly action: 'refetch'
      readonly missing: number
      readonly rescored: number
      readonly added: readonly UtxoEntry[]
    }
  | { readonly action: 'repeat' | 'undo' }
  | { readonly action: 'score'; readonly score: bigint }
  | { readonly action: 'spend'; readonly left: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ action: fc.constant('snapshot'), entries: snapshot, during: deltas }) },
  {
    weight: 4,
    arbitrary: fc.record({
      action: fc.constant('merge'),
      during: deltas,
      end: fc.constantFrom('finish', 'finish', 'abandon', 'snapshot'),
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      action: fc.constant('refetch'),
      missing: fc.nat({ max: 4 }),
      rescored: fc.nat({ max: 4 }),
      added: entries,
    }),
  },
  { weight: 4, arbitrary: fc.record({ action: fc.constant('delta'), removed: entries, added: entries }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constantFrom('repeat', 'undo') }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('score'), score: fc.bigInt({ min: 0n, max: 50n }) }) },
  { weight: 2, arbitrary: fc.record({ action: fc.constant('spend'), left: fc.constantFrom(0, 1, 5, 15) }) },
)

type Model = Map<OutpointKey, UtxoEntry>

const applyToModel = (model: Model, removed: readonly UtxoEntry[], added: readonly UtxoEntry[]): void => {
  for (const { outpoint } of removed) model.delete(toOutpointKey(outpoint))
  for (const one of added) model.set(toOutpointKey(one.outpoint), one)
}

const keyOf = ({ outpoint }: UtxoEntry): OutpointKey => toOutpointKey(outpoint)

const plain = ({ outpoint, amount, blockDaaScore, isCoinbase, covenantId, scriptPublicKey, address }: UtxoEntry) =>
  `${toOutpointKey(outpoint)} ${amount} ${blockDaaScore} ${isCoinbase} ${covenantId} ${scriptPublicKey.script} ${address}`

const texts = (all: Iterable<UtxoEntry>): string[] => Array.from(all, plain).sort()

/** The entries of a snapshot as the tracker loads them. */
function prepared(snapshot: readonly UtxoEntry[], set: EntrySet, hash: OutpointHash): AddressSnapshot {
  const targets = new Map([[ALICE, { script: utxo(1).scriptPublicKey, entries: set }]])
  const found = finish(prepareSnapshot(snapshot, targets, hash)).get(ALICE)
  return found ?? { entries: [], invalid: [], sum: 0n }
}

/** The same UTXO, accepted by a later block. */
const later = (one: UtxoEntry): UtxoEntry => ({ ...one, blockDaaScore: one.blockDaaScore + 1n })

/** A set and a plain map after the same steps. */
function createHarness(hash: OutpointHash) {
  const set = new EntrySet(hash)
  const model: Model = new Map()
  const balance = createRunningBalance(MATURITY)
  let latest: readonly [removed: readonly UtxoEntry[], added: readonly UtxoEntry[]] = [[], []]

  const history = createHistory(
    () => set.view(),
    () => [ALICE],
  )
  const count = (changes: EntryChanges): void => {
    history.record(changes)
    balance.apply(changes)
  }
  const delta = (removed: readonly UtxoEntry[], added: readonly UtxoEntry[]): void => {
    count(applyDelta(ALICE, set, removed, added, ANY_AMOUNT).changes)
    applyToModel(model, removed, added)
    latest = [removed, added]
  }
  const load = (snapshot: readonly UtxoEntry[], during: readonly Delta[] = []): void => {
    const { entries, matches } = prepared(snapshot, set, hash)
    for (const { removed, added } of during) delta(removed, added)
    count(replaceEntries(ALICE, set, entries, ANY_AMOUNT, matches))
    model.clear()
    applyToModel(model, [], snapshot)
  }
  const merge = (during: readonly Delta[], end: 'finish' | 'abandon' | 'snapshot'): void => {
    const before = set.values()
    const touched = new Set(during.flatMap((one) => [...one.removed, ...one.added]).map(keyOf))
    const steps = set.merge()
    for (const { removed, added } of during) {
      steps.next()
      delta(removed, added)
    }
    if (end === 'snapshot') load(refetched(1, 1, []))
    if (end === 'abandon') return
    finish(steps)
    if (end === 'snapshot') return
    for (const one of before) if (!touched.has(keyOf(one))) expect(set.get(one.outpoint)).toBe(one)
  }
  const refetched = (missing: number, rescored: number, added: readonly UtxoEntry[]): readonly UtxoEntry[] => {
    const left = [...model.values()].slice(missing)
    const known = new Set(left.map(({ outpoint }) => toOutpointKey(outpoint)))
    const others = added.filter(({ outpoint }) => !known.has(toOutpointKey(outpoint)))
    return [...left.map((each, at) => (at < rescored ? later(each) : each)), ...others]
  }
  const apply = (one: Step): void => {
    switch (one.action) {
      case 'snapshot':
        load(one.entries, one.during)
        break
      case 'refetch':
        load(refetched(one.missing, one.rescored, one.added))
        break
      case 'delta':
        delta(one.removed, one.added)
        break
      case 'merge':
        merge(one.during, one.end)
        break
      case 'repeat':
        delta(...latest)
        break
      case 'undo': // a reorg
        delta(latest[1], latest[0])
        break
      case 'spend':
        delta([...model.values()].slice(one.left), [])
        break
      case 'score':
        balance.setScore(one.score, () => [[ALICE, set.view()]])
    }
  }
  return { set, model, balance, history, apply }
}

describe('a columnar set of entries, after any snapshots, deltas, doubles, reorgs, merges and hash collisions', () => {
  it('equals a plain map, as do its lookups, earlier views and versions, and its balance', () => {
    fc.assert(
      fc.property(hashes, snapshot, fc.array(step, { maxLength: 10 }), entries, ([, hash], first, steps, others) => {
        const { set, model, balance, history, apply } = createHarness(hash)
        const views: [EntryView, SetVersion, string[], bigint][] = []
        for (const one of [{ action: 'snapshot', entries: first, during: [] } as const, ...steps]) {
          apply(one)
          const expected = texts(model.values())
          expect(texts(set.values())).toEqual(expected)
          expect(set.size).toBe(model.size)
          for (const { outpoint } of [...model.values(), ...others]) {
            const [found, known] = [set.get(outpoint), model.get(toOutpointKey(outpoint))]
            expect(found && plain(found)).toBe(known && plain(known))
            expect(set.get(outpoint)).toBe(found) // the same record at each read
          }
          expect(balance.sums).toEqual(sumsOf(model.values(), balance.score))
          views.push([set.view(), history.currentVersion(), expected, sum(model.values())])
        }
        for (const [view, version, expected, total] of views) {
          expect(texts(version.entriesOf([ALICE]))).toEqual(expected)
          expect(texts(version.viewsOf([ALICE]).flatMap(entriesOfColumns))).toEqual(expected)
          expect(view.length).toBe(expected.length)
          expect(view.sum()).toBe(total)
          expect(texts(view)).toEqual(expected)
        }
      }),
      { numRuns: runs(60, 1_000) },
    )
  })
})

/** The entries of a view, read from its columns. */
const entriesOfColumns = (view: EntryView): UtxoEntry[] => {
  const { sortByAmount, locate } = createUtxoRows(view.toParts())
  return Array.from(finish(sortByAmount()), (number) => {
    const { columns, row } = locate(number)
    return toEntry(columns, row)
  })
}

const sum = (all: Iterable<UtxoEntry>): bigint => [...all].reduce((total, { amount }) => total + amount, 0n)

/** The balance by its definition. */
function sumsOf(all: Iterable<UtxoEntry>, score: bigint) {
  const sums = { mature: 0n, immature: 0n, bound: 0n }
  for (const one of all) {
    const isSpendable = one.blockDaaScore <= score && isMature(one, score, MATURITY)
    sums[one.covenantId !== undefined ? 'bound' : isSpendable ? 'mature' : 'immature'] += one.amount
  }
  return sums
}
