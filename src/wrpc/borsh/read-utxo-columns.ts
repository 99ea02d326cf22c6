import {
  COINBASE,
  COVENANT,
  ID_WORDS,
  ROWS_PER_CALL,
  ROWS_PER_STEP,
  allocateColumns,
  toColumns,
  type ColumnArrays,
  type UtxoColumns,
  createScriptTable,
  type ScriptTable,
} from '../../model/utxo-columns/columns.js'
import type { Steps } from '../../loading/steps.js'
import { utxoEntry } from '../../node/messages/transactions.js'
import { MalformedFrame } from '../malformed.js'
import type { Cursor } from './cursor.js'
import { minimumSize } from './minimum-size.js'
import type { ScalarReaders } from './read-scalars.js'
import { readRepeatedRows, toLayout, type RowLayout } from './repeated-rows.js'

const ENTRY_SIZE = /*#__PURE__*/ minimumSize({ box: utxoEntry })

type Readers = Pick<ScalarReaders, 'address' | 'scriptPublicKey'>

/** Decodes the response to `getUtxosByAddresses` into columns. A test compares it with the reader of records. */
export type ReadUtxoColumns = (cursor: Cursor) => Steps<UtxoColumns>

export const createUtxoColumnsReader = (readers: Readers): ReadUtxoColumns =>
  function* readColumns(cursor) {
    cursor.u16() // the tag has no meaning yet
    cursor.enter()
    const count = cursor.count(ENTRY_SIZE)
    const scripts = createScriptTable()
    const target: Target = { arrays: allocateColumns(count), scripts, covenantIds: new Map(), layout: undefined }
    for (let row = 0; row < count; row += ROWS_PER_CALL) {
      if (row > 0 && row % ROWS_PER_STEP === 0) yield
      readRows(cursor, readers, target, row, Math.min(count, row + ROWS_PER_CALL))
    }
    return toColumns(target.arrays, { count, scripts: scripts.all, covenantIds: target.covenantIds })
  }

interface Target {
  readonly arrays: ColumnArrays
  readonly scripts: ScriptTable
  readonly covenantIds: Map<number, string>
  /** Of the latest entry; undefined where the next one is not compared with it. */
  layout: RowLayout | undefined
}

function readRows(cursor: Cursor, readers: Readers, target: Target, first: number, end: number): void {
  let row = first
  while (row < end) {
    if (target.layout !== undefined) row = readRepeatedRows(cursor, target.layout, target.arrays, row, end)
    if (row < end) readRow(cursor, readers, target, row++)
  }
}

function readRow(cursor: Cursor, readers: Readers, target: Target, row: number): void {
  const start = cursor.at
  const outerEnd = cursor.enter()
  cursor.u8()
  const address = cursor.bool() ? readers.address(cursor) : undefined
  const entryEnd = cursor.enter()
  const id = readOutpoint(cursor, target.arrays, row) - start
  cursor.leave(entryEnd)
  cursor.enter()
  const amount = cursor.at + 1 - start
  const score = readUtxo(cursor, readers, target, row, address) - start
  cursor.leave(entryEnd)
  cursor.leave(outerEnd)
  const end = cursor.at - start
  if (target.covenantIds.has(row)) target.layout = undefined
  else if (!hasPositions(target.layout, id, amount, score, end)) target.layout = toLayout({ id, amount, score, end })
}

const hasPositions = (layout: RowLayout | undefined, id: number, amount: number, score: number, end: number): boolean =>
  layout?.id === id && layout.amount === amount && layout.score === score && layout.end === end

/** Returns the position of the id. One check of the bound for all fields. */
function readOutpoint(cursor: Cursor, { transactionIds, indexes }: ColumnArrays, row: number): number {
  const { view } = cursor
  const start = cursor.take(1 + 4 * ID_WORDS + 4) + 1
  const at = ID_WORDS * row
  for (let word = 0; word < ID_WORDS; word++) transactionIds[at + word] = view.getUint32(start + 4 * word, true)
  indexes[row] = view.getUint32(start + 4 * ID_WORDS, true)
  return start
}

/** Returns the position of the DAA score. */
function readUtxo(
  cursor: Cursor,
  { scriptPublicKey }: Readers,
  { arrays, scripts, covenantIds }: Target,
  row: number,
  address: string | undefined,
): number {
  const { view } = cursor
  const start = cursor.take(9)
  const tag = view.getUint8(start)
  readU64(view, start + 1, arrays.amounts, row)
  arrays.scriptOf[row] = scripts.indexOf(address, scriptPublicKey(cursor))
  const scoreAt = cursor.take(9)
  readU64(view, scoreAt, arrays.daaScores, row)
  const isCoinbase = view.getUint8(scoreAt + 8)
  if (isCoinbase > 1) throw new MalformedFrame(`${isCoinbase} at ${scoreAt + 8} is no boolean`)
  const hasCovenant = tag >= 2 && cursor.bool()
  if (hasCovenant) covenantIds.set(row, cursor.hex(32))
  arrays.flags[row] = (isCoinbase === 1 ? COINBASE : 0) | (hasCovenant ? COVENANT : 0)
  return scoreAt
}

function readU64(view: DataView, at: number, words: Uint32Array, row: number): void {
  words[2 * row] = view.getUint32(at, true)
  words[2 * row + 1] = view.getUint32(at + 4, true)
}
