import {
  eachChunk,
  eachPart,
  COINBASE,
  COVENANT,
  type UtxoColumns,
  isDead,
} from '../../../model/utxo-columns/columns.js'
import { OutpointFilter } from '../../../model/utxo-columns/outpoint-filter.js'
import { WordSum, isAbove, type Bound } from '../../../model/utxo-columns/words.js'
import type { UtxoRows, LocatedRow } from '../../../model/utxo-source/source.js'
import type { Steps } from '../../../loading/steps.js'
import { FOREIGN_SCRIPT, INVALID_SCRIPT, SPENDABLE_SCRIPT, type ScriptClasses } from '../script-classes.js'
import { isPackable, selectRecords, toEntry, toUtxoColumns } from '../../../model/utxo-columns/records.js'
import { positionOf } from '../../../model/utxo-source/rows.js'
import { spendsEntry, type UnconfirmedInput } from '../../../model/unconfirmed-transaction.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'

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

/** Which rows some inputs spend: those of their outpoints, with the script and the amount that the inputs state. */
export function createReservedTest(inputs: readonly UnconfirmedInput[]): Pick<OutpointFilter, 'has'> {
  const filter = new OutpointFilter(inputs.map(({ outpoint }) => outpoint))
  const byOutpoint = new Map<OutpointKey, UnconfirmedInput[]>()
  for (const input of inputs) {
    const key = toOutpointKey(input.outpoint)
    const others = byOutpoint.get(key)
    if (others === undefined) byOutpoint.set(key, [input])
    else others.push(input)
  }
  return {
    has: (columns, row) => {
      if (!filter.has(columns, row)) return false
      const entry = toEntry(columns, row)
      return (byOutpoint.get(toOutpointKey(entry.outpoint)) ?? []).some((input) => spendsEntry(input, entry))
    },
  }
}

/**
 * The numbers of rows by amount, without the rows that some inputs spend. An input that states its amount, as those of
 * own payments do, is looked up in the order; only other ones cost a pass over all rows.
 */
export function withoutReserved(
  numbers: Uint32Array,
  { parts, locate }: UtxoRows,
  inputs: readonly UnconfirmedInput[],
): Uint32Array {
  const others = inputs.filter(({ amount }) => amount === undefined)
  const test = createReservedTest(others)
  const scanned =
    others.length === 0 ? [] : parts.flatMap(({ columns }) => selectRecords(columns, (row) => test.has(columns, row)))
  const spends = [...inputs.flatMap(toSpend), ...scanned.map((entry) => ({ input: entry, entry }))]
  const packable = spends.filter(({ entry }) => isPackable(entry))
  const columns = toUtxoColumns(packable.map(({ entry }) => entry))
  if (columns === undefined) return numbers
  const positions = packable.flatMap(({ input }, row) => {
    const position = positionOf(numbers, { columns, row }, locate)
    const found = numbers[position]
    return found !== undefined && spendsNumber(input, locate(found)) ? position : []
  })
  return withoutPositions(numbers, Uint32Array.from(new Set(positions)).sort())
}

/** An input, and an entry in whose place of the order it is looked up. */
interface Spend {
  readonly input: UnconfirmedInput
  readonly entry: UtxoEntry
}

const toSpend = (input: UnconfirmedInput): Spend | readonly [] => {
  const { outpoint, amount } = input
  if (amount === undefined) return []
  return { input, entry: { outpoint, amount, scriptPublicKey: NO_SCRIPT, blockDaaScore: 0n, isCoinbase: false } }
}

const NO_SCRIPT = { version: 0, script: '' }

const spendsNumber = (input: UnconfirmedInput, { columns, row }: LocatedRow): boolean =>
  spendsEntry(input, toEntry(columns, row))

/** Without those at some positions, which are sorted. */
function withoutPositions(numbers: Uint32Array, positions: Uint32Array): Uint32Array {
  if (positions.length === 0) return numbers
  const rest = new Uint32Array(numbers.length - positions.length)
  let from = 0
  for (const [count, position] of [...positions, numbers.length].entries()) {
    rest.set(numbers.subarray(from, position), from - count)
    from = position + 1
  }
  return rest
}
