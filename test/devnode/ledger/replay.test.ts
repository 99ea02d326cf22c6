import { describe, expect, it } from 'vitest'
import {
  coinsFor,
  mineBlocks,
  networkWith,
  recorded,
  recordedEntries,
  recordedText,
  replay,
  type RecordedEntry,
} from './recorded.js'

/**
 * Transactions that were sent to a real node of 2.1.0, sent to the ledger: it takes what the node took, and refuses the rest
 * in the same words.
 */

/** What happens before the next transaction of a scene is sent. */
type Step = string | { readonly mine: number } | { readonly keepOrphan: string }

/** Entries whose answer depends on what was sent before. */
const SCENES: Readonly<Record<string, readonly Step[]>> = {
  'a double spend and a repetition, before and after inclusion and acceptance': [
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
  'an orphan and its parent, where orphans are taken': [
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

/** The virtual DAA score at which an entry was sent, where that matters. */
const SCORES: Readonly<Record<string, number>> = {
  'locktime-future': 27,
  'locktime-now': 27,
  'locktime-past': 27,
  'sequence-age+1': 28,
  'sequence-age': 30,
  'order-sequence-vs-signature': 0,
  'order-sum-vs-sequence': 0,
}

/** What cannot be sent again, and where the same is shown with a transaction of ours. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'sequence-on-mempool-parent-2': 'its parent is not recorded; mempool.test.ts',
  'sequence-on-mempool-parent-1000': 'its parent is not recorded; mempool.test.ts',
  'sequence-mempool-child': 'its parent is not recorded; mempool.test.ts',
  'impossible-outpoint': 'its parent is not recorded; mempool.test.ts',
  'impossible-outpoint-accepted': 'its parent is not recorded; mempool.test.ts',
  'rbf-two': 'the second rival is not recorded; mempool.test.ts',
  'rbf-same-feerate-exact': 'the rival stands in another answer; mempool.test.ts',
  'rbf-one-sompi-more': 'the rival stands in another answer; mempool.test.ts',
  'p2sh-sigops-16': 'its coin is not recorded; scripts.test.ts',
  'red-conflict-resubmit': 'a red block comes first; parallel-blocks.test.ts',
}

const nameOf = (step: Step): string | undefined => {
  if (typeof step === 'string') return step
  return 'keepOrphan' in step ? step.keepOrphan : undefined
}
const inScenes = new Set(Object.values(SCENES).flat().map(nameOf))
const submitted = recordedEntries.filter(({ submit }) => submit !== undefined)
const alone = submitted.filter(({ name }) => !inScenes.has(name) && ELSEWHERE[name] === undefined)

/** A score at which every input is as old as its sequence demands. */
const ripeScore = ({ submit, spent = [] }: RecordedEntry): number =>
  Math.max(
    ...(submit?.inputs ?? []).map(({ sequence }, index) => {
      const age = BigInt(sequence) < 1000n ? Number(sequence) : 0
      return Number(spent[index]?.blockDaaScore ?? 0) + age
    }),
    0,
  )

describe('a transaction sent alone gets the answer that a real node gave', () => {
  it.each(alone.map((entry) => [entry.name, entry] as const))('%s', (name, entry) => {
    const network = networkWith(coinsFor([entry]), SCORES[name] ?? ripeScore(entry))
    expect(replay(network, entry)).toBe(recordedText(entry))
  })
})

describe('transactions sent one after the other get the answers that a real node gave', () => {
  it.each(Object.entries(SCENES))('%s', (_, scene) => {
    const network = networkWith(coinsThatWere(scene))
    for (const step of scene) {
      const name = nameOf(step)
      if (name === undefined) mineBlocks(network, typeof step === 'object' && 'mine' in step ? step.mine : 0)
      else {
        const orphans = typeof step === 'string' ? 'refused' : 'allowed'
        expect([name, replay(network, recorded(name), orphans)]).toEqual([name, recordedText(recorded(name))])
      }
    }
  })
})

/** Only what was there from the start: the scene itself makes the rest. */
const coinsThatWere = (scene: readonly Step[]) =>
  coinsFor(scene.map(nameOf).flatMap((name) => (name === undefined ? [] : [recorded(name)]))).filter(
    ({ outpoint, isCoinbase }) => outpoint.transactionId.startsWith('0'.repeat(48)) && !isCoinbase,
  )

it('sends all but ten of the 167 recorded transactions again', () => {
  expect(submitted).toHaveLength(167)
  expect(submitted.filter(({ name }) => ELSEWHERE[name] !== undefined)).toHaveLength(10)
})
