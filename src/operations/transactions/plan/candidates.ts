import { compound, type Compounded } from './change.js'
import { totalOf, type Utxo, type UtxoList } from './draft.js'
import { feeOf, type FeePolicy } from './fee.js'
import {
  NOTHING_SPENT,
  addSpent,
  inputCapacity,
  massesOf,
  type SpentTotals,
  type TransactionTemplate,
} from './template.js'

/** A set of UTXOs that might pay: its totals and, once chosen, the compounding that makes it fit one transaction. */
export interface Candidate {
  readonly spent: SpentTotals
  compounded(): Compounded
}

/** The UTXOs to select from. */
export interface SelectionPool {
  /** Always spent. */
  readonly fixed: readonly Utxo[]
  /** Sorted by amount, largest first. */
  readonly utxos: UtxoList
}

/** A pool with the payment to cover. */
interface Selection extends SelectionPool {
  readonly template: TransactionTemplate
  readonly policy: FeePolicy
  /** Totals of the fixed UTXOs. */
  readonly base: SpentTotals
  /** How many further inputs fit into one transaction beside the fixed ones. */
  readonly capacity: number
}

/** Up to so many UTXOs all subsets are tried: 1,024 subsets take a few milliseconds. */
const EXHAUSTIVE_LIMIT = 10

/**
 * Sets of UTXOs that cover a template and its minimum fee, best first:
 * - The fixed UTXOs alone.
 * - The fewest UTXOs possible: the largest ones, and as the last the smallest that suffices, for little change.
 * - One, two, four, eight more, up to all, where the change would be below the smallest valid output.
 * - The smallest UTXOs: small inputs offset the storage mass of small outputs.
 * - All subsets of a small pool, so that every payable payment is planned.
 *
 * With fixed UTXOs there is only one transaction: nothing is compounded first.
 */
export function* candidates(
  template: TransactionTemplate,
  { fixed, utxos }: SelectionPool,
  policy: FeePolicy,
): Generator<Candidate> {
  const capacity = Math.max(0, inputCapacity(template) - fixed.length)
  const selection: Selection = { template, policy, fixed, utxos, base: totalOf(fixed), capacity }
  yield* ifCovering(selection, selection.base, () => fixed)
  for (const count of growingCounts(selection)) {
    if (count <= capacity) yield* withCount(selection, count)
    else if (fixed.length === 0) yield* compoundedCandidate(selection, count)
  }
  yield* smallest(selection)
  if (utxos.length <= EXHAUSTIVE_LIMIT) yield* allSubsets(selection)
}

/** Sets of `count` UTXOs for one transaction: the largest but one, completed by each other UTXO, smallest first. */
function* withCount(selection: Selection, count: number): Generator<Candidate> {
  const { utxos, base, fixed } = selection
  const largest = utxos.slice(0, count - 1)
  const sum = addSpent(base, totalOf(largest))
  for (let at = smallestCovering(selection, sum, count - 1); at >= count - 1; at--) {
    const last = utxos.at(at)
    if (last !== undefined) yield* ifCovering(selection, addSpent(sum, last.spent), () => [...fixed, ...largest, last])
  }
}

/**
 * The position of the smallest UTXO from `first` on that, added to `sum`, may cover the template; below `first` where
 * none does. A binary search: with the number of inputs the fee is fixed, and each larger UTXO covers as well.
 */
function smallestCovering({ template, policy, utxos }: Selection, sum: SpentTotals, first: number): number {
  let [known, beyond] = [first - 1, utxos.length]
  while (beyond - known > 1) {
    const middle = (known + beyond) >> 1
    const { spent = NOTHING_SPENT } = utxos.at(middle) ?? {}
    if (covers(template, addSpent(sum, spent), policy)) known = middle
    else beyond = middle
  }
  return known
}

/** More inputs than fit into one transaction, compounded first. */
function* compoundedCandidate({ template, utxos, policy }: Selection, count: number): Generator<Candidate> {
  const compounded = compound(utxos.slice(0, count), template, policy)
  if (compounded === undefined) return
  const spent = totalOf(compounded.utxos)
  if (covers(template, spent, policy)) yield { spent, compounded: () => compounded }
}

function* smallest(selection: Selection): Generator<Candidate> {
  const { fixed, utxos, capacity } = selection
  let spent = selection.base
  for (let count = 1; count <= Math.min(capacity, utxos.length); count++) {
    const next = utxos.at(-count)
    if (next === undefined) return
    spent = addSpent(spent, next.spent)
    yield* ifCovering(selection, spent, () => [...fixed, ...[...utxos.slice(-count)].reverse()])
  }
}

function* allSubsets(selection: Selection): Generator<Candidate> {
  const { fixed, utxos, base } = selection
  for (let mask = 1; mask < 2 ** utxos.length; mask++) {
    const chosen = [...utxos].filter((_, at) => (mask >> at) & 1)
    yield* ifCovering(selection, addSpent(base, totalOf(chosen)), () => [...fixed, ...chosen])
  }
}

/** One candidate for a single transaction, where it covers outputs and fee. */
function* ifCovering(
  { template, policy }: Selection,
  spent: SpentTotals,
  chosen: () => readonly Utxo[],
): Generator<Candidate> {
  if (covers(template, spent, policy)) yield { spent, compounded: () => ({ earlier: [], utxos: chosen() }) }
}

/** The smallest number of UTXOs, at least one, that can cover the template, then growing numbers up to all. */
function* growingCounts(selection: Selection): Generator<number> {
  const { length } = selection.utxos
  const fewest = fewestOf(selection)
  if (fewest === undefined) return
  yield fewest
  for (let more = 1; fewest + more < length; more *= 2) yield fewest + more
  if (fewest < length) yield length
}

function fewestOf({ template, utxos, policy, base }: Selection): number | undefined {
  let spent = base
  let count = 0
  for (const utxo of utxos) {
    spent = addSpent(spent, utxo.spent)
    count++
    if (covers(template, spent, policy)) return count
  }
  return undefined
}

/** Whether UTXOs cover outputs and fee, without storage mass and compounding: a set that fails this cannot pay. */
function covers(template: TransactionTemplate, spent: SpentTotals, policy: FeePolicy): boolean {
  const fee = feeOf({ ...massesOf(template, spent, 0n), storage: 0n }, policy)
  return spent.amount >= template.paid + template.priorityFee + fee
}
