import { describe, expect, it } from 'vitest'
import {
  recordedUtxos,
  mineBlocks,
  networkWith,
  recorded,
  recordedEntries,
  recordedText,
  replay,
  type RecordedEntry,
} from './recorded.js'

/**
 * Submits transactions recorded with a real node of 2.1.0. The ledger admits the same ones and rejects the others with
 * the same message.
 */

/** A step of a scenario: an entry name, mined blocks, or an entry submitted as orphan. */
type Step = string | { readonly mine: number } | { readonly keepOrphan: string }

/** Entries whose response depends on earlier ones. */
const SCENARIOS: Readonly<Record<string, readonly Step[]>> = {
  'a double spend and a duplicate, before and after inclusion and acceptance': [
    'ds-first',
    'duplicate-in-mempool',
    'double-spend-mempool',
    'order-double-spend-vs-signature',
    'order-double-spend-vs-nonstandard',
    'order-double-spend-vs-zero-output',
    'duplicate-unsigned',
    { mine: 1 },
    'duplicate-included',
    'double-spend-included',
    { mine: 1 },
    'duplicate-accepted',
    'double-spend-accepted',
  ],
  'replacement by fee': [
    'rbf-no-conflict',
    'rbf-base',
    'rbf-child',
    'rbf-duplicate',
    'rbf-smaller-storage-mass',
    'rbf-lower',
    'rbf-one-more',
    'rbf-storage-mass-feerate',
    'rbf-orphan',
    'rbf-low-fee',
  ],
  'a coinbase that matures': [
    { mine: 6 },
    'coinbase-immature-early',
    'order-immature-vs-signature',
    'order-immature-vs-sum',
    { mine: 995 },
    'coinbase-maturity-1',
    { mine: 1 },
    'coinbase-maturity',
  ],
  'an orphan and its parent, with orphans allowed': [
    'orphan-disallowed-unsafe',
    { keepOrphan: 'orphan-allowed-unsafe' },
    { keepOrphan: 'orphan-duplicate' },
    'orphan-duplicate-disallowed',
    { keepOrphan: 'orphan-double-spend' },
    'orphan-parent',
    'orphan-double-spend-after',
    { keepOrphan: 'orphan-unsigned' },
  ],
}

/** Virtual DAA score at submission, for entries that depend on it. */
const SCORES: Readonly<Record<string, number>> = {
  'locktime-future': 27,
  'locktime-now': 27,
  'locktime-past': 27,
  'sequence-age+1': 28,
  'sequence-age': 30,
  'order-sequence-vs-signature': 0,
  'order-sum-vs-sequence': 0,
}

/** Entries that cannot be replayed, and the test that covers them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'sequence-on-mempool-parent-2': 'its parent is not recorded; mempool.test.ts',
  'sequence-on-mempool-parent-1000': 'its parent is not recorded; mempool.test.ts',
  'sequence-mempool-child': 'its parent is not recorded; mempool.test.ts',
  'impossible-outpoint': 'its parent is not recorded; mempool.test.ts',
  'impossible-outpoint-accepted': 'its parent is not recorded; mempool.test.ts',
  'rbf-two': 'the second double spend is not recorded; mempool.test.ts',
  'rbf-same-feerate-exact': 'the double spend is in another response; mempool.test.ts',
  'rbf-one-sompi-more': 'the double spend is in another response; mempool.test.ts',
  'p2sh-sigops-16': 'its UTXO is not recorded; scripts.test.ts',
  'red-conflict-resubmit': 'depends on a red block; parallel-blocks.test.ts',
}

const nameOf = (step: Step): string | undefined => {
  if (typeof step === 'string') return step
  return 'keepOrphan' in step ? step.keepOrphan : undefined
}
const inScenarios = new Set(Object.values(SCENARIOS).flat().map(nameOf))
const submitted = recordedEntries.filter(({ submit }) => submit !== undefined)
const independent = submitted.filter(({ name }) => !inScenarios.has(name) && ELSEWHERE[name] === undefined)

/** The score at which every sequence lock is met. */
const matureScore = ({ submit, spent = [] }: RecordedEntry): number =>
  Math.max(
    ...(submit?.inputs ?? []).map(({ sequence }, index) => {
      const age = BigInt(sequence) < 1000n ? Number(sequence) : 0
      return Number(spent[index]?.blockDaaScore ?? 0) + age
    }),
    0,
  )

describe('an independent transaction gets the response of a real node', () => {
  it.each(independent.map((entry) => [entry.name, entry] as const))('%s', (name, entry) => {
    const network = networkWith(recordedUtxos([entry]), SCORES[name] ?? matureScore(entry))
    expect(replay(network, entry)).toBe(recordedText(entry))
  })
})

describe('a scenario gets the responses of a real node', () => {
  it.each(Object.entries(SCENARIOS))('%s', (_, scenario) => {
    const network = networkWith(genesisUtxosOf(scenario))
    for (const step of scenario) {
      const name = nameOf(step)
      if (name === undefined) mineBlocks(network, typeof step === 'object' && 'mine' in step ? step.mine : 0)
      else {
        const orphans = typeof step === 'string' ? 'rejected' : 'allowed'
        expect([name, replay(network, recorded(name), orphans)]).toEqual([name, recordedText(recorded(name))])
      }
    }
  })
})

/** The genesis UTXOs; the scenario itself creates the other ones. */
const genesisUtxosOf = (scenario: readonly Step[]) =>
  recordedUtxos(scenario.map(nameOf).flatMap((name) => (name === undefined ? [] : [recorded(name)]))).filter(
    ({ outpoint, isCoinbase }) => outpoint.transactionId.startsWith('0'.repeat(48)) && !isCoinbase,
  )

it('replays all but ten of the 167 recorded transactions', () => {
  expect(submitted).toHaveLength(167)
  expect(submitted.filter(({ name }) => ELSEWHERE[name] !== undefined)).toHaveLength(10)
})
