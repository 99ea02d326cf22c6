import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { finish } from '../../../src/loading/steps.js'
import { toScriptPublicKey } from '../../../src/model/address.js'
import { toUtxoColumns } from '../../../src/model/utxo-columns/records.js'
import { createUtxoRows } from '../../../src/model/utxo-source/rows.js'
import { UtxoSource } from '../../../src/model/utxo-source/source.js'
import type { UnconfirmedInput } from '../../../src/model/unconfirmed-transaction.js'
import { toOutpointKey, type Outpoint, type UtxoEntry } from '../../../src/model/utxo.js'
import { checkEntries } from '../../../src/operations/transactions/check-entries.js'
import { utxoOfEntry, type Utxo } from '../../../src/operations/transactions/plan/draft.js'
import type { FeePolicy } from '../../../src/operations/transactions/plan/fee.js'
import { plan, type PlanRequest, type Planned } from '../../../src/operations/transactions/plan/plan.js'
import {
  sortFunds,
  spendableFunds,
  type SpendableFunds,
} from '../../../src/operations/transactions/plan/spendable-funds.js'
import { createScriptClasses } from '../../../src/operations/transactions/script-classes.js'
import { ColumnIndex } from '../../../src/streams/utxos/store/column-index.js'
import { EntrySet } from '../../../src/streams/utxos/store/entry-set.js'
import { createOutpointHash } from '../../../src/streams/utxos/store/outpoint-hash.js'
import { runs } from '../../full.js'
import { KAS, alice, bob, scriptAddress } from './accounts.js'
import { recordFunds } from './record-funds.js'

const SCORE = 1000n
const COINBASE_MATURITY = 100n
const hash = createOutpointHash(7)

/** Few outpoints, so that they are replaced, spent, reserved and repeated. Amounts follow from them. */
const entry = fc
  .record({
    n: fc.integer({ min: 1, max: 30 }),
    index: fc.constantFrom(0, 1, 10),
    address: fc.constantFrom(alice.address, alice.address, bob.address, alice.ecdsaAddress, scriptAddress, undefined),
    script: fc.constantFrom('own', 'own', 'own', 'own', 'foreign', 'unknown'),
    blockDaaScore: fc.constantFrom(0n, SCORE - COINBASE_MATURITY, SCORE - COINBASE_MATURITY + 1n),
    isCoinbase: fc.boolean(),
    covenantId: fc.constantFrom(undefined, undefined, undefined, 'ab'.repeat(32)),
  })
  .map(({ n, index, script, ...rest }): UtxoEntry => {
    const own = toScriptPublicKey(rest.address ?? alice.address)
    const scripts = { own, foreign: toScriptPublicKey(bob.address), unknown: { version: 1, script: own.script } }
    return {
      ...rest,
      outpoint: { transactionId: n.toString(16).padStart(64, n % 2 === 0 ? 'a' : '0'), index },
      amount: n % 7 === 0 ? 100_000n : BigInt(1 + (n % 5)) * KAS + BigInt(index) * KAS,
      scriptPublicKey: scripts[script],
    }
  })
const entries = fc.array(entry, { maxLength: 24, size: 'max' })

const policy: fc.Arbitrary<FeePolicy> = fc.oneof(
  fc.constant({ kind: 'minimum' as const, rate: 100 }),
  fc.record({ kind: fc.constant('rate' as const), rate: fc.double({ min: 0, max: 1000, noNaN: true }) }),
)

/** An input that may spend an entry: a node states the outpoint alone, a payment of a stranger what it likes. */
const input = fc
  .record({
    entry,
    amount: fc.constantFrom('known', 'known', 'other', 'unknown'),
    script: fc.constantFrom('known', 'known', 'other', 'unknown'),
  })
  .map(({ entry: { outpoint, ...fields }, amount, script }): UnconfirmedInput => ({
    outpoint,
    amount: { known: fields.amount, other: fields.amount + 1n, unknown: undefined }[amount],
    scriptPublicKey: { known: fields.scriptPublicKey, other: { version: 0, script: 'ac' }, unknown: undefined }[script],
  }))
const inputs = fc.array(input, { maxLength: 4 })

const spends = ({ outpoint, amount, scriptPublicKey }: UnconfirmedInput, entry: UtxoEntry): boolean =>
  toOutpointKey(outpoint) === toOutpointKey(entry.outpoint) &&
  (amount === undefined || amount === entry.amount) &&
  (scriptPublicKey === undefined || isDeepStrictEqual(scriptPublicKey, entry.scriptPublicKey))

const change = toScriptPublicKey(alice.address)

/** A payment of some amount, or, without one, a consolidation. */
const toRequest = (amount: bigint | undefined, fee: FeePolicy): PlanRequest => ({
  outputs: amount === undefined ? [] : [{ value: amount, scriptPublicKey: toScriptPublicKey(bob.address) }],
  change,
  payload: '',
  policy: fee,
  priorityFee: 0n,
})

const outpointsOf = (utxos: Iterable<Utxo>): Outpoint[] =>
  Array.from(utxos, ({ from }) => ('outpoint' in from ? from.outpoint : { transactionId: 'draft', index: 0 }))

/** What would be signed. */
const textOf = (planned: Planned): unknown =>
  planned.kind === 'impossible'
    ? planned.attempt?.outcome
    : planned.drafts.map(({ utxos, outputs, fee, masses }) => ({ spent: outpointsOf(utxos), outputs, fee, masses }))

const scripts = createScriptClasses()

const fundsOf = (
  given: readonly UtxoEntry[] | UtxoSource,
  fee: FeePolicy,
  reserved: readonly UnconfirmedInput[],
  spendsBound: boolean,
): SpendableFunds =>
  spendableFunds(
    finish(
      sortFunds(checkEntries(given, 'simnet', scripts), {
        policy: fee,
        latestCoinbase: SCORE - COINBASE_MATURITY,
        spendsBound,
      }),
    ),
    { reserved },
  )

/**
 * The entries as a tracker has them after a snapshot, deltas and, perhaps, a merge. Their scripts are not checked here.
 */
function tracked(
  snapshot: readonly UtxoEntry[],
  removed: readonly UtxoEntry[],
  added: readonly UtxoEntry[],
  isMerged: boolean,
): EntrySet {
  const set = new EntrySet(hash)
  const distinct = [...new Map(snapshot.map((one) => [toOutpointKey(one.outpoint), one])).values()]
  const columns = toUtxoColumns(distinct)
  const index = columns && finish(ColumnIndex.build(columns, hash))
  if (index === undefined) throw new Error('The entries do not fit into columns')
  set.adopt(index)
  for (const { outpoint } of removed) set.remove(outpoint)
  if (isMerged) finish(set.merge())
  for (const one of added) set.put(one)
  return set
}

function expectFunds(funds: SpendableFunds, expected: ReturnType<typeof recordFunds>): void {
  const { foreign: _, ...sums } = expected.sums
  expect(outpointsOf(funds.utxos)).toEqual(expected.spendable.map(({ outpoint }) => outpoint))
  expect(funds.sums()).toEqual(sums)
}

const cases = fc.record({
  first: entries,
  removed: entries,
  added: entries,
  isMerged: fc.boolean(),
  spent: fc.array(entry, { maxLength: 4 }),
  reserved: inputs,
  fee: policy,
  spendsBound: fc.boolean(),
  amount: fc.option(fc.bigInt({ min: KAS / 10n, max: 60n * KAS }), { nil: undefined }),
})

describe('coin selection', () => {
  it('selects from columns of a tracker what it selects from records, never what is spent, bound or made up', () => {
    fc.assert(
      fc.property(cases, ({ first, removed, added, isMerged, spent, reserved, fee, spendsBound, amount }) => {
        const set = tracked(first, removed, added, isMerged)
        const spentKeys = new Set(spent.map(({ outpoint }) => toOutpointKey(outpoint)))
        const source = UtxoSource.of(createUtxoRows(set.view().toParts()), {
          score: SCORE,
          coinbaseMaturity: COINBASE_MATURITY,
          spent: spent.map(({ outpoint }) => outpoint),
        })
        const funds = fundsOf(source, fee, reserved, spendsBound)
        const expected = recordFunds(set.values(), {
          score: SCORE,
          coinbaseMaturity: COINBASE_MATURITY,
          isReserved: (one) => spentKeys.has(toOutpointKey(one.outpoint)) || reserved.some((each) => spends(each, one)),
          policy: fee,
          spendsBound,
        })
        expectFunds(funds, expected)
        const request = toRequest(amount, fee)
        const byRecords = plan(request, { fixed: [], utxos: expected.spendable.map(utxoOfEntry) })
        expect(textOf(plan(request, funds))).toEqual(textOf(byRecords))
      }),
      { numRuns: runs(60) },
    )
  })

  it('classifies records of the caller by their definition, duplicates included', () => {
    fc.assert(
      fc.property(entries, inputs, policy, fc.boolean(), (given, reserved, fee, spendsBound) => {
        const expected = recordFunds(given, {
          score: SCORE,
          coinbaseMaturity: COINBASE_MATURITY,
          isReserved: (one) => reserved.some((each) => spends(each, one)),
          policy: fee,
          spendsBound,
        })
        expectFunds(fundsOf(given, fee, reserved, spendsBound), expected)
      }),
      { numRuns: runs(60) },
    )
  })
})
