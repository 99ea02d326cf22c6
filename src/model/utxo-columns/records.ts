import { HEX_PAIRS } from '../hex.js'
import type { UtxoEntry } from '../utxo.js'
import {
  COINBASE,
  COVENANT,
  ID_WORDS,
  allocateColumns,
  toColumns,
  type AddressScript,
  type ColumnArrays,
  type UtxoColumns,
  createScriptTable,
  type ScriptTable,
} from './columns.js'
import { readBigInt, writeBigInt } from './words.js'

const MAX_U64 = 2n ** 64n - 1n
const LOWER_HEX_ID = /^[0-9a-f]{64}$/
const DIGITS = /*#__PURE__*/ Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))
const ASCII = /*#__PURE__*/ new TextDecoder('latin1')

/** Whether the output of a row is of a coinbase. */
export const isCoinbaseAt = ({ flags }: UtxoColumns, row: number): boolean => ((flags[row] ?? 0) & COINBASE) !== 0

/** The entry of a row, a new record each time. */
export function toEntry(columns: UtxoColumns, row: number, transactionId = readId(columns, row)): UtxoEntry {
  const { address, scriptPublicKey } = scriptAt(columns, row)
  const flags = columns.flags[row] ?? 0
  return {
    address,
    outpoint: { transactionId, index: columns.indexes[row] ?? 0 },
    amount: readBigInt(columns.amounts, row),
    scriptPublicKey,
    blockDaaScore: readBigInt(columns.daaScores, row),
    isCoinbase: isCoinbaseAt(columns, row),
    covenantId: (flags & COVENANT) === 0 ? undefined : columns.covenantIds.get(row),
  }
}

/** The entries of some rows, new records each time. */
export function selectRecords(columns: UtxoColumns, isSelected: (row: number) => boolean): UtxoEntry[] {
  const entries: UtxoEntry[] = []
  for (let row = 0; row < columns.count; row++) if (isSelected(row)) entries.push(toEntry(columns, row))
  return entries
}

export function scriptAt({ scripts, scriptOf }: UtxoColumns, row: number): AddressScript {
  const script = scripts[scriptOf[row] ?? 0]
  if (script === undefined) throw new RangeError(`Row ${row} has no script`) // no code path leads here
  return script
}

/** Whether a record has all fields of a row, apart from the outpoint, which is not compared. */
export function hasFieldsOf(columns: UtxoColumns, row: number, entry: UtxoEntry): boolean {
  const { address, scriptPublicKey } = scriptAt(columns, row)
  const flags = columns.flags[row] ?? 0
  return (
    entry.amount === readBigInt(columns.amounts, row) &&
    entry.blockDaaScore === readBigInt(columns.daaScores, row) &&
    entry.isCoinbase === ((flags & COINBASE) !== 0) &&
    entry.covenantId === ((flags & COVENANT) === 0 ? undefined : columns.covenantIds.get(row)) &&
    entry.address === address &&
    entry.scriptPublicKey.version === scriptPublicKey.version &&
    entry.scriptPublicKey.script === scriptPublicKey.script
  )
}

/** The transaction id of a row, in hex. */
export const readId = (columns: UtxoColumns, row: number): string => readIds(columns, row, 1)

/** The transaction ids of consecutive rows, in hex, without separators. */
export function readIds({ transactionIds }: UtxoColumns, first: number, rows: number): string {
  const pairs = new Uint16Array(4 * ID_WORDS * rows)
  let at = 0
  for (let word = ID_WORDS * first; word < ID_WORDS * (first + rows); word++) {
    const bits = transactionIds[word] ?? 0
    pairs[at++] = HEX_PAIRS[bits & 255] ?? 0
    pairs[at++] = HEX_PAIRS[(bits >>> 8) & 255] ?? 0
    pairs[at++] = HEX_PAIRS[(bits >>> 16) & 255] ?? 0
    pairs[at++] = HEX_PAIRS[bits >>> 24] ?? 0
  }
  return ASCII.decode(pairs)
}

/** The columns of records; undefined where one has a field that columns cannot hold, such as an id that is no hash. */
export function toUtxoColumns(entries: readonly UtxoEntry[]): UtxoColumns | undefined {
  if (!entries.every(isPackable)) return undefined
  const target = createTarget(entries.length)
  entries.forEach((entry, row) => writeEntry(target, row, entry))
  return finishColumns(target, entries.length)
}

/** Columns that are being written. */
export interface ColumnTarget {
  readonly arrays: ColumnArrays
  readonly scripts: ScriptTable
  readonly covenantIds: Map<number, string>
}

export const createTarget = (rows: number): ColumnTarget => ({
  arrays: allocateColumns(rows),
  scripts: createScriptTable(),
  covenantIds: new Map(),
})

/** The columns, once all rows are written. */
export const finishColumns = ({ arrays, scripts, covenantIds }: ColumnTarget, count: number): UtxoColumns =>
  toColumns(arrays, { count, scripts: scripts.all, covenantIds })

/** Writes a record for which `isPackable` is true. */
export function writeEntry({ arrays, scripts, covenantIds }: ColumnTarget, row: number, entry: UtxoEntry): void {
  const { outpoint, amount, blockDaaScore, isCoinbase, covenantId } = entry
  writeId(arrays.transactionIds, row, outpoint.transactionId)
  arrays.indexes[row] = outpoint.index
  writeBigInt(arrays.amounts, row, amount)
  writeBigInt(arrays.daaScores, row, blockDaaScore)
  arrays.flags[row] = (isCoinbase ? COINBASE : 0) | (covenantId === undefined ? 0 : COVENANT)
  arrays.scriptOf[row] = scripts.indexOf(entry.address, entry.scriptPublicKey)
  if (covenantId !== undefined) covenantIds.set(row, covenantId)
}

/** Whether columns can hold all fields of a record. */
export const isPackable = ({ outpoint: { transactionId, index }, amount, blockDaaScore }: UtxoEntry): boolean =>
  LOWER_HEX_ID.test(transactionId) && index >>> 0 === index && isU64(amount) && isU64(blockDaaScore)

const isU64 = (value: bigint): boolean => value >= 0n && value <= MAX_U64

/** Writes a transaction id; returns whether it is one, 64 digits of lower-case hex. */
export function writeId(words: Uint32Array, row: number, id: string): boolean {
  let all = id.length === 8 * ID_WORDS ? 0 : -1
  for (let word = 0, at = 0; word < ID_WORDS; word++, at += 8) {
    const low = pairAt(id, at) | (pairAt(id, at + 2) << 8)
    const high = pairAt(id, at + 4) | (pairAt(id, at + 6) << 8)
    all |= low | high
    words[ID_WORDS * row + word] = low | (high << 16)
  }
  return all >= 0
}

/** The byte of two digits; negative where one is no lower-case hex digit. */
const pairAt = (id: string, at: number): number =>
  ((NIBBLES[id.charCodeAt(at)] ?? -1) << 4) | (NIBBLES[id.charCodeAt(at + 1)] ?? -1)

/** The values of lower-case hex digits by their codes; -1 for any other. */
const NIBBLES = /*#__PURE__*/ Int8Array.from({ length: 128 }, (_, code) => DIGITS.indexOf(code))

/** Whether a row has this transaction id, in lower-case hex. */
export function hasId({ transactionIds }: UtxoColumns, row: number, id: string): boolean {
  if (id.length !== 8 * ID_WORDS) return false
  for (let at = 0; at < id.length; at += 2) {
    const byte = ((transactionIds[ID_WORDS * row + (at >> 3)] ?? 0) >>> ((at & 6) << 2)) & 0xff
    if (DIGITS[byte >> 4] !== id.charCodeAt(at) || DIGITS[byte & 15] !== id.charCodeAt(at + 1)) return false
  }
  return true
}
