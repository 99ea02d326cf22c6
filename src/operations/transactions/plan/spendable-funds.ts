import type { FundsSummary, InsufficientFundsError } from '../../../errors/insufficient-funds.js'
import { OutpointFilter } from '../../../model/utxo-columns/outpoint-filter.js'
import { toBound } from '../../../model/utxo-columns/words.js'
import type { SourceRule } from '../../../model/utxo-source/source.js'
import type { UnconfirmedInput, UnconfirmedTransaction } from '../../../model/unconfirmed-transaction.js'
import type { UtxoEntry } from '../../../model/utxo.js'
import type { CheckedUtxos } from '../check-entries.js'
import {
  BOUND,
  DUST,
  IMMATURE,
  INVALID,
  RESERVED,
  SPENDABLE,
  classifyRows,
  sumOfClass,
  type RowTests,
} from './classify-rows.js'
import { utxoOfEntry, type Utxo, type UtxoList } from './draft.js'
import { feeOfSpending, type FeePolicy } from './fee.js'
import { reservedBy } from './reserved-by.js'
import { createReservedTest } from './reserved-rows.js'
import { RowList } from './row-list.js'

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

export interface SpendingRules {
  /** The DAA score up to which the block of a coinbase output is old enough; none is where it is negative. */
  readonly latestCoinbase: bigint
  /** What unconfirmed transactions spend. */
  readonly reserved: Iterable<UnconfirmedInput>
  /** The unconfirmed transactions, where they are known. */
  readonly payments?: Iterable<UnconfirmedTransaction> | undefined
  readonly policy: FeePolicy
  /** Whether outputs that a covenant binds are spent. */
  readonly spendsBound: boolean
}

/** Splits UTXOs into spendable and unspendable ones. `fixed` are UTXOs that must be spent. */
export function classifyUtxos(
  utxos: CheckedUtxos,
  rules: SpendingRules,
  fixed: readonly UtxoEntry[] = [],
): SpendableFunds {
  const {
    source: { rows, rule },
    classes,
  } = utxos
  const rowClasses = classifyRows(rows, classes, toTests(rules, rule, fixed))
  const sumOf = (rowClass: number): bigint => sumOfClass(rows, rowClasses, rowClass)
  return {
    sums: () => ({
      spendable: fixed.reduce((sum, { amount }) => sum + amount, sumOf(SPENDABLE)),
      immature: sumOf(IMMATURE),
      reserved: sumOf(RESERVED),
      dust: sumOf(DUST),
      bound: sumOf(BOUND),
      invalid: sumOf(INVALID),
    }),
    reservedBy: () => reservedBy(utxos, rules.payments ?? []),
    fixed: fixed.map(utxoOfEntry),
    utxos: new RowList(rows, spendableOf(rows.byAmount(), rowClasses)),
  }
}

function toTests(
  { latestCoinbase, reserved, policy, spendsBound }: SpendingRules,
  rule: SourceRule | null,
  fixed: readonly UtxoEntry[],
): RowTests {
  const tracked = rule === null ? latestCoinbase : rule.score - rule.coinbaseMaturity
  return {
    fixed: new OutpointFilter(fixed.map(({ outpoint }) => outpoint)),
    reserved: createReservedTest([...reserved, ...(rule?.spent ?? []).map((outpoint) => ({ outpoint }))]),
    coinbase: toBound(tracked < latestCoinbase ? tracked : latestCoinbase),
    regular: toBound(rule?.score ?? MAX_SCORE),
    dustLimit: toBound(feeOfSpending(policy)),
    spendsBound,
  }
}

const MAX_SCORE = 2n ** 64n - 1n

/** Those of the numbers whose rows are spendable, in the same order. */
function spendableOf(numbers: Uint32Array, classes: Uint8Array): Uint32Array {
  const spendable = new Uint32Array(numbers.length)
  let count = 0
  for (const number of numbers) {
    if (classes[number] === SPENDABLE) spendable[count++] = number
  }
  return spendable.subarray(0, count)
}
