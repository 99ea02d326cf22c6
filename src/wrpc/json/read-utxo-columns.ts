import type { Steps } from '../../loading/steps.js'
import {
  COINBASE,
  COVENANT,
  ROWS_PER_STEP,
  allocateColumns,
  type ColumnArrays,
  type UtxoColumns,
} from '../../model/utxo-columns/columns.js'
import { writeId } from '../../model/utxo-columns/records.js'
import { createScriptTable, type ScriptTable } from '../../model/utxo-columns/script-table.js'
import { writeBigInt, writeNumber } from '../../model/utxo-columns/words.js'
import type { ScalarReaders } from './read-scalars.js'
import { asArray, asObject } from './values.js'

/** Decodes the parsed response to `getUtxosByAddresses` into columns. A test compares it with the reader of records. */
export type ReadUtxoColumns = (response: unknown) => Steps<UtxoColumns>

export const createUtxoColumnsReader = (read: ScalarReaders): ReadUtxoColumns =>
  function* readColumns(response) {
    const entries = asArray(asObject(response).entries)
    const scripts = createScriptTable()
    const target: Target = { arrays: allocateColumns(entries.length), scripts, covenantIds: new Map() }
    for (const [row, entry] of entries.entries()) {
      if (row > 0 && row % ROWS_PER_STEP === 0) yield
      readRow(entry, read, target, row)
    }
    return { ...target.arrays, count: entries.length, scripts: scripts.all, covenantIds: target.covenantIds }
  }

interface Target {
  readonly arrays: ColumnArrays
  readonly scripts: ScriptTable
  readonly covenantIds: Map<number, string>
}

function readRow(value: unknown, read: ScalarReaders, { arrays, scripts, covenantIds }: Target, row: number): void {
  const entry = asObject(value)
  const outpoint = asObject(entry.outpoint)
  const utxo = asObject(entry.utxoEntry)
  const address = entry.address ?? undefined
  const covenantId = utxo.covenantId ?? undefined
  writeId(arrays.transactionIds, row, read.hash(outpoint.transactionId))
  arrays.indexes[row] = read.u32(outpoint.index)
  readU64(utxo.amount, read, arrays.amounts, row)
  const script = read.scriptPublicKey(utxo.scriptPublicKey)
  arrays.scriptOf[row] = scripts.indexOf(address === undefined ? undefined : read.address(address), script)
  readU64(utxo.blockDaaScore, read, arrays.daaScores, row)
  const isCoinbase = read.bool(utxo.isCoinbase)
  if (covenantId !== undefined) covenantIds.set(row, read.hash(covenantId))
  arrays.flags[row] = (isCoinbase ? COINBASE : 0) | (covenantId === undefined ? 0 : COVENANT)
}

/** Most numbers are exact without a bigint. */
function readU64(value: unknown, read: ScalarReaders, words: Uint32Array, row: number): void {
  if (Number.isSafeInteger(value) && Number(value) >= 0) writeNumber(words, row, Number(value))
  else writeBigInt(words, row, read.u64(value))
}
