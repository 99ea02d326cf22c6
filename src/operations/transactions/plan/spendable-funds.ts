import type { FundsSummary, InsufficientFundsError } from '../../../errors/payment-errors.js'
import type { Steps } from '../../../loading/steps.js'
import { eachChunk } from '../../../model/utxo-columns/columns.js'
import { OutpointFilter } from '../../../model/utxo-columns/outpoint-filter.js'
import { toBound } from '../../../model/utxo-columns/words.js'
import type { SourceRule, UtxoRows } from '../../../model/utxo-source/source.js'
import {
  type UnconfirmedInput,
  type UnconfirmedTransaction,
  spendsEntry,
} from '../../../model/unconfirmed-transaction.js'
import { type UtxoEntry, toOutpointKey } from '../../../model/utxo.js'
import { type CheckedUtxos, findEntries } from '../check-entries.js'
import type { SignerRules } from '../sign/signer-limits.js'
import {
  BOUND,
  DEVICE,
  DUST,
  FOREIGN,
  IMMATURE,
  INVALID,
  RESERVED,
  SPENDABLE,
  classifyRows,
  markReserved,
  sumOfClass,
  type RowTests,
  createReservedTest,
  withoutReserved,
} from './spendable-rows.js'
import { utxoOfEntry, type Utxo, type UtxoList, RowList } from './draft.js'
import { feeOfSpending, type FeePolicy } from './fee.js'

/** The sums of each class, in sompi. */
export type FundsSums = Omit<FundsSummary, 'required'>

/** The spendable UTXOs among those of the caller. */
export interface SpendableFunds {
  /** The sums of all UTXOs of the caller, computed when they are called for: only an error reports them. */
  readonly sums: () => FundsSums
  /** What reserves UTXOs of the caller, likewise. */
  readonly reservedBy: () => InsufficientFundsError['reservedBy']
  /** Always spent, even below the dust limit; counted as spendable. */
  readonly fixed: readonly Utxo[]
  /** By amount, largest first, then by outpoint: independent of the order of the entries. */
  readonly utxos: UtxoList
}

/** What decides whether a UTXO is spendable, apart from reservations. */
export interface SpendingRules {
  /** The DAA score up to which the block of a coinbase output is old enough; none is where it is negative. */
  readonly latestCoinbase: bigint
  readonly policy: FeePolicy
  /** Whether outputs that a covenant binds are spent. */
  readonly spendsBound: boolean
  /** The limits of what will sign. */
  readonly signer?: Pick<SignerRules, 'mark'> | undefined
}

/** What takes UTXOs at the time of a plan. */
export interface ReservedFunds {
  /** What unconfirmed transactions spend. */
  readonly reserved: Iterable<UnconfirmedInput>
  /** The unconfirmed transactions, where they are known. */
  readonly payments?: Iterable<UnconfirmedTransaction> | undefined
}

/** The UTXOs of a caller in classes and in order, before reservations. */
export interface SortedFunds {
  readonly checked: CheckedUtxos
  /** UTXOs that must be spent. */
  readonly fixed: readonly UtxoEntry[]
  /** The class of each row. */
  readonly classes: Uint8Array
  /** The numbers of the rows that are spendable but for reservations, by amount. */
  readonly numbers: Uint32Array
}

/** Splits UTXOs into classes and sorts them, in steps: a plan begins with the result. */
export function* sortFunds(
  checked: CheckedUtxos,
  rules: SpendingRules,
  fixed: readonly UtxoEntry[] = [],
): Steps<SortedFunds> {
  const { rows, rule } = checked.source
  const classes = yield* classifyRows(rows, checked.classes, toTests(rules, rule, fixed))
  if (rules.signer !== undefined) yield* rules.signer.mark(rows, classes, SPENDABLE, DEVICE)
  const numbers = yield* spendableOf(yield* rows.sortByAmount(), classes)
  return { checked, fixed, classes, numbers }
}

/** What is spendable beside the reservations of now, in one task: it costs as much as there are reservations. */
export function spendableFunds(
  { checked, fixed, classes, numbers }: SortedFunds,
  { reserved, payments = [] }: ReservedFunds,
): SpendableFunds {
  const { rows } = checked.source
  const inputs = [...reserved]
  return {
    sums: () => sumsOf(rows, markReserved(rows, classes, createReservedTest(inputs)), fixed),
    reservedBy: () => reservedBy(checked, payments),
    fixed: fixed.map(utxoOfEntry),
    utxos: new RowList(rows, withoutReserved(numbers, rows, inputs)),
  }
}

function sumsOf(rows: UtxoRows, classes: Uint8Array, fixed: readonly UtxoEntry[]): FundsSums {
  const sumOf = (rowClass: number): bigint => sumOfClass(rows, classes, rowClass)
  return {
    spendable: fixed.reduce((sum, { amount }) => sum + amount, sumOf(SPENDABLE)),
    immature: sumOf(IMMATURE),
    reserved: sumOf(RESERVED),
    dust: sumOf(DUST),
    bound: sumOf(BOUND),
    invalid: sumOf(INVALID),
    device: sumOf(DEVICE),
    script: sumOf(FOREIGN),
  }
}

function toTests(
  { latestCoinbase, policy, spendsBound }: SpendingRules,
  rule: SourceRule | null,
  fixed: readonly UtxoEntry[],
): RowTests {
  const tracked = rule === null ? latestCoinbase : rule.score - rule.coinbaseMaturity
  return {
    fixed: new OutpointFilter(fixed.map(({ outpoint }) => outpoint)),
    spent: new OutpointFilter(rule?.spent ?? []),
    coinbase: toBound(tracked < latestCoinbase ? tracked : latestCoinbase),
    regular: toBound(rule?.score ?? MAX_SCORE),
    dustLimit: toBound(feeOfSpending(policy)),
    spendsBound,
  }
}

const MAX_SCORE = 2n ** 64n - 1n

/** Those of the numbers whose rows are spendable, in the same order, in steps. */
function* spendableOf(numbers: Uint32Array, classes: Uint8Array): Steps<Uint32Array> {
  const spendable = new Uint32Array(numbers.length)
  let count = 0
  yield* eachChunk(numbers.length, (first, end) => {
    for (const number of numbers.subarray(first, end)) if (classes[number] === SPENDABLE) spendable[count++] = number
  })
  return spendable.subarray(0, count)
}

/** The unconfirmed transactions that spend some of the UTXOs, with the sums of those. */
function reservedBy(
  utxos: CheckedUtxos,
  transactions: Iterable<UnconfirmedTransaction>,
): InsufficientFundsError['reservedBy'] {
  const all = [...transactions]
  const spent = findEntries(
    utxos,
    all.flatMap(({ inputs }) => inputs.map(({ outpoint }) => outpoint)),
  )
  return all.flatMap(({ id, inputs }) => {
    const amounts = inputs.flatMap((input) => {
      const entry = spent.get(toOutpointKey(input.outpoint))
      return entry !== undefined && spendsEntry(input, entry) ? entry.amount : []
    })
    const amount = amounts.reduce((sum, each) => sum + each, 0n)
    return amounts.length === 0 ? [] : { transactionId: id, amount }
  })
}
