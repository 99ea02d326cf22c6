import { OutpointFilter } from '../../../model/utxo-columns/outpoint-filter.js'
import { isPackable, selectRecords, toEntry, toUtxoColumns } from '../../../model/utxo-columns/records.js'
import { positionOf } from '../../../model/utxo-source/rows.js'
import type { LocatedRow, UtxoRows } from '../../../model/utxo-source/source.js'
import { spendsEntry, type UnconfirmedInput } from '../../../model/unconfirmed-transaction.js'
import { toOutpointKey, type OutpointKey, type UtxoEntry } from '../../../model/utxo.js'

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
