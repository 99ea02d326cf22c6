import { COINBASE, COVENANT, type UtxoColumns } from '../../../model/utxo-columns/columns.js'
import { isDead } from '../../../model/utxo-columns/dead-rows.js'
import type { OutpointFilter } from '../../../model/utxo-columns/outpoint-filter.js'
import { WordSum, isAbove, type Bound } from '../../../model/utxo-columns/words.js'
import type { UtxoPart, UtxoRows } from '../../../model/utxo-source/source.js'
import { INVALID_SCRIPT, SPENDABLE_SCRIPT, type ScriptClasses } from '../script-classes.js'

/** Classes of rows, as numbers: a pass over a million rows writes one byte for each. */
export const SPENDABLE = 1
export const IMMATURE = 2
export const RESERVED = 3
export const DUST = 4
/** Not spent, because the script is not that of the address. */
export const INVALID = 5
/** Spendable with a key alone, but bound by a covenant. */
export const BOUND = 6
/** Not spendable with a key alone. */
const FOREIGN = 7
/** Dead, or spent in any case. */
const LEFT_OUT = 8

/** What rows are compared with. */
export interface RowTests {
  /** UTXOs that are spent in any case. */
  readonly fixed: OutpointFilter
  readonly reserved: Pick<OutpointFilter, 'has'>
  /** The DAA scores up to which coinbase outputs and other ones are mature. */
  readonly coinbase: Bound
  readonly regular: Bound
  readonly dustLimit: Bound
  /** Whether outputs that a covenant binds are spent. */
  readonly spendsBound: boolean
}

/** The class of each row, by its number. Creates no record. `scripts`: the classes of the scripts of each part. */
export function classifyRows(rows: UtxoRows, scripts: readonly ScriptClasses[], tests: RowTests): Uint8Array {
  const classes = new Uint8Array(rows.count)
  let first = 0
  rows.parts.forEach((part, at) => {
    classifyPart(part, scripts[at] ?? NO_SCRIPTS, tests, classes, first)
    first += part.columns.count
  })
  return classes
}

const NO_SCRIPTS: ScriptClasses = /*#__PURE__*/ new Uint8Array(0)

function classifyPart(
  { columns, dead }: UtxoPart,
  scripts: ScriptClasses,
  tests: RowTests,
  classes: Uint8Array,
  first: number,
): void {
  for (let row = 0; row < columns.count; row++) {
    classes[first + row] = isDead(dead, row) ? LEFT_OUT : classOf(columns, row, scripts, tests)
  }
}

function classOf(columns: UtxoColumns, row: number, scripts: ScriptClasses, tests: RowTests): number {
  const script = scripts[columns.scriptOf[row] ?? 0]
  const flags = columns.flags[row] ?? 0
  if (tests.fixed.has(columns, row)) return LEFT_OUT
  if (script === INVALID_SCRIPT) return INVALID
  if (script !== SPENDABLE_SCRIPT) return FOREIGN
  if (tests.reserved.has(columns, row)) return RESERVED
  if (isAbove(columns.daaScores, row, (flags & COINBASE) === 0 ? tests.regular : tests.coinbase)) return IMMATURE
  if (!isAbove(columns.amounts, row, tests.dustLimit)) return DUST
  return (flags & COVENANT) === 0 || tests.spendsBound ? SPENDABLE : BOUND
}

/** The sum of the rows of a class, in sompi. */
export function sumOfClass({ parts }: UtxoRows, classes: Uint8Array, wanted: number): bigint {
  const sum = new WordSum()
  let first = 0
  for (const { columns } of parts) {
    for (let row = 0; row < columns.count; row++) if (classes[first + row] === wanted) sum.add(columns.amounts, row)
    first += columns.count
  }
  return sum.total
}
