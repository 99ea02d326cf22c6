import {
  eachChunk,
  eachPart,
  COINBASE,
  COVENANT,
  type UtxoColumns,
  isDead,
} from '../../../model/utxo-columns/columns.js'
import type { OutpointFilter } from '../../../model/utxo-columns/outpoint-filter.js'
import { WordSum, isAbove, type Bound } from '../../../model/utxo-columns/words.js'
import type { UtxoRows } from '../../../model/utxo-source/source.js'
import type { Steps } from '../../../loading/steps.js'
import { FOREIGN_SCRIPT, INVALID_SCRIPT, SPENDABLE_SCRIPT, type ScriptClasses } from '../script-classes.js'

/** Classes of rows, as numbers: a pass over a million rows writes one byte for each. */
export const SPENDABLE = 1
export const IMMATURE = 2
export const RESERVED = 3
export const DUST = 4
/** Not spent, because the script is not that of the address. */
export const INVALID = 5
/** Spendable with a key alone, but bound by a covenant. */
export const BOUND = 6
/** Spendable, but not by what signs the payment. */
export const DEVICE = 9
/** Not spendable with a key alone, and not bound by a covenant: of accounts of several signers, if of anyone. */
export const FOREIGN = 7
/** Dead, spent in any case, or left alone by the payment. */
const LEFT_OUT = 8

/** What rows are compared with. */
export interface RowTests {
  /** UTXOs that are spent in any case. */
  readonly fixed: OutpointFilter
  /** UTXOs that the tracker knows to be spent by unconfirmed transactions. */
  readonly spent: OutpointFilter
  /** The DAA scores up to which coinbase outputs and other ones are mature. */
  readonly coinbase: Bound
  readonly regular: Bound
  readonly dustLimit: Bound
  /** Whether outputs that a covenant binds are spent. */
  readonly spendsBound: boolean
}

/**
 * The class of each row, by its number, in steps. Creates no record. `scripts`: the classes of the scripts of each
 * part.
 */
export function* classifyRows(rows: UtxoRows, scripts: readonly ScriptClasses[], tests: RowTests): Steps<Uint8Array> {
  const classes = new Uint8Array(rows.count)
  let number = 0
  yield* eachPart(
    rows.parts,
    ({ columns }) => columns.count,
    ({ columns, dead }, part) =>
      eachChunk(columns.count, (first, end) => {
        for (let row = first; row < end; row++)
          classes[number++] = isDead(dead, row) ? LEFT_OUT : classOf(columns, row, scripts[part] ?? NO_SCRIPTS, tests)
      }),
  )
  return classes
}

const NO_SCRIPTS: ScriptClasses = /*#__PURE__*/ new Uint8Array(0)

function classOf(columns: UtxoColumns, row: number, scripts: ScriptClasses, tests: RowTests): number {
  const script = scripts[columns.scriptOf[row] ?? 0]
  const flags = columns.flags[row] ?? 0
  if (tests.fixed.has(columns, row)) return LEFT_OUT
  if (script === INVALID_SCRIPT) return INVALID
  if (script !== SPENDABLE_SCRIPT) return script === FOREIGN_SCRIPT && (flags & COVENANT) === 0 ? FOREIGN : LEFT_OUT
  if (tests.spent.has(columns, row)) return RESERVED
  if (isAbove(columns.daaScores, row, (flags & COINBASE) === 0 ? tests.regular : tests.coinbase)) return IMMATURE
  if (!isAbove(columns.amounts, row, tests.dustLimit)) return DUST
  return (flags & COVENANT) === 0 || tests.spendsBound ? SPENDABLE : BOUND
}

/** The classes, with that of each row that `reserved` has and a key could spend, now or later. */
export function markReserved(
  { parts }: UtxoRows,
  classes: Uint8Array,
  reserved: Pick<OutpointFilter, 'has'>,
): Uint8Array {
  const marked = classes.slice()
  let number = 0
  for (const { columns } of parts) {
    for (let row = 0; row < columns.count; row++, number++) {
      if (isOwn(marked[number]) && reserved.has(columns, row)) marked[number] = RESERVED
    }
  }
  return marked
}

/** Whether rows of a class are spendable with a key, now or later. */
const isOwn = (rowClass = LEFT_OUT): boolean => rowClass !== LEFT_OUT && rowClass !== INVALID && rowClass !== FOREIGN

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
