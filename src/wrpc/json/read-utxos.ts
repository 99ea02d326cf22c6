import type { Steps } from '../../loading/steps.js'
import {
  COINBASE,
  COVENANT,
  ROWS_PER_STEP,
  allocateColumns,
  toColumns,
  type ColumnArrays,
  type UtxoColumns,
  concatArrays,
  createScriptTable,
  type ScriptTable,
} from '../../model/utxo-columns/columns.js'
import { writeId } from '../../model/utxo-columns/records.js'
import { writeBigInt, writeNumber } from '../../model/utxo-columns/words.js'
import { MalformedFrame } from '../wire-errors.js'
import {
  partsOf,
  type CutMessage,
  openEnvelope,
  parseJson,
  parseRoundedJson,
  asArray,
  asObject,
} from './message-text.js'
import type { ScalarReaders, Read } from './scalars.js'
import type { UtxoEntry } from '../../model/utxo.js'

/** Decodes the response to `getUtxosByAddresses` into columns. A test compares it with the reader of records. */
export interface ReadUtxoColumns {
  /** Decodes the parsed response. */
  readonly ofResponse: (response: unknown) => Steps<UtxoColumns>
  /** Parses and decodes the entries in parts: a hundred thousand parsed entries would be most of the peak memory. */
  readonly ofText: (message: CutMessage) => Steps<UtxoColumns>
}

export function createUtxoColumnsReader(read: ScalarReaders): ReadUtxoColumns {
  function* ofResponse(response: unknown): Steps<UtxoColumns> {
    const entries = asArray(asObject(response).entries)
    const target = createTarget(entries.length, 0, createScriptTable(), new Map())
    for (let row = 0; row < entries.length; row++) {
      if (row > 0 && row % ROWS_PER_STEP === 0) yield
      readRow(entries[row], read, target, row)
    }
    return toColumns(target.arrays, {
      count: entries.length,
      scripts: target.scripts.all,
      covenantIds: target.covenantIds,
    })
  }
  function* ofParts(message: CutMessage): Steps<UtxoColumns> {
    const parts: Target[] = []
    const [scripts, covenantIds] = [createScriptTable(), new Map<number, string>()]
    let count = 0
    for (const text of partsOf(message)) {
      if (count > 0) yield
      const entries = parseEntries(text)
      const part = createTarget(entries.length, count, scripts, covenantIds)
      for (let row = 0; row < entries.length; row++) readRow(entries[row], read, part, row)
      parts.push(part)
      count += entries.length
    }
    const blocks = parts.map(({ arrays }) => arrays)
    return toColumns(concatArrays(blocks, count), { count, scripts: scripts.all, covenantIds })
  }
  return {
    ofResponse,
    *ofText(message) {
      try {
        return yield* ofParts(message)
      } catch (error) {
        if (!(error instanceof MalformedFrame)) throw error
        return yield* ofResponse(openEnvelope(message.text).content.params) // it was not cut between two entries
      }
    },
  }
}

/**
 * Parses a list of entries. A number that may have been rounded is found in its entry, which costs less than in the
 * text.
 */
function parseEntries(text: string): readonly unknown[] {
  const entries = asArray(parseRoundedJson(text))
  return entries.every(isExact) ? entries : asArray(parseJson(text))
}

/** Whether no amount and no DAA score of an entry has been rounded: each integer up to 2^53 - 1 is exact. */
function isExact(entry: unknown): boolean {
  const { amount, blockDaaScore } = asObject(asObject(entry).utxoEntry)
  return isExactNumber(amount) && isExactNumber(blockDaaScore)
}

const isExactNumber = (value: unknown): boolean => typeof value !== 'number' || Number.isSafeInteger(value)

interface Target {
  readonly arrays: ColumnArrays
  /** Rows of earlier parts. */
  readonly first: number
  readonly scripts: ScriptTable
  readonly covenantIds: Map<number, string>
}

const createTarget = (rows: number, first: number, scripts: ScriptTable, covenantIds: Map<number, string>): Target => ({
  arrays: allocateColumns(rows),
  first,
  scripts,
  covenantIds,
})

function readRow(
  value: unknown,
  read: ScalarReaders,
  { arrays, first, scripts, covenantIds }: Target,
  row: number,
): void {
  const entry = asObject(value)
  const outpoint = asObject(entry.outpoint)
  const utxo = asObject(entry.utxoEntry)
  const address = entry.address ?? undefined
  const covenantId = utxo.covenantId ?? undefined
  readId(outpoint.transactionId, read, arrays.transactionIds, row)
  arrays.indexes[row] = read.u32(outpoint.index)
  readU64(utxo.amount, read, arrays.amounts, row)
  const script = read.scriptPublicKey(utxo.scriptPublicKey)
  arrays.scriptOf[row] = scripts.indexOf(address === undefined ? undefined : read.address(address), script)
  readU64(utxo.blockDaaScore, read, arrays.daaScores, row)
  const isCoinbase = read.bool(utxo.isCoinbase)
  if (covenantId !== undefined) covenantIds.set(first + row, read.hash(covenantId))
  arrays.flags[row] = (isCoinbase ? COINBASE : 0) | (covenantId === undefined ? 0 : COVENANT)
}

/** A node writes ids in lower case, which are checked while they are converted. */
function readId(value: unknown, read: ScalarReaders, words: Uint32Array, row: number): void {
  if (typeof value !== 'string' || !writeId(words, row, value)) writeId(words, row, read.hash(value))
}

/** Most numbers are exact without a bigint. */
function readU64(value: unknown, read: ScalarReaders, words: Uint32Array, row: number): void {
  if (Number.isSafeInteger(value) && Number(value) >= 0) writeNumber(words, row, Number(value))
  else writeBigInt(words, row, read.u64(value))
}

/** Decodes a `utxoEntry` of the table into one literal, for speed. A test compares it with the general reader. */
export function createUtxoEntryReader(read: ScalarReaders): Read<UtxoEntry> {
  return (value) => {
    const entry = asObject(value)
    const outpoint = asObject(entry.outpoint)
    const utxo = asObject(entry.utxoEntry)
    const address = entry.address ?? undefined
    const covenantId = utxo.covenantId ?? undefined
    return {
      address: address === undefined ? undefined : read.address(address),
      outpoint: { transactionId: read.hash(outpoint.transactionId), index: read.u32(outpoint.index) },
      amount: read.u64(utxo.amount),
      scriptPublicKey: read.scriptPublicKey(utxo.scriptPublicKey),
      blockDaaScore: read.u64(utxo.blockDaaScore),
      isCoinbase: read.bool(utxo.isCoinbase),
      covenantId: covenantId === undefined ? undefined : read.hash(covenantId),
    }
  }
}
