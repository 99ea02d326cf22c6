import { type ScriptPublicKey, toScriptKey } from '../utxo.js'

/** What the UTXOs of one address have in common. */
export interface AddressScript {
  /** Undefined if the script has no address form. */
  readonly address: string | undefined
  readonly scriptPublicKey: ScriptPublicKey
}

/**
 * UTXO entries as typed arrays, 57 bytes an entry: row n of each array describes the n-th entry. Immutable once built.
 * Numbers of 64 bits are two words, the low one first.
 */
export interface UtxoColumns {
  readonly count: number
  /** Eight words a row; each holds four bytes of the transaction id, the first in its lowest bits. */
  readonly transactionIds: Uint32Array
  /** Indexes of the outputs. */
  readonly indexes: Uint32Array
  /** Sompi; two words a row. */
  readonly amounts: Uint32Array
  /** DAA scores of the accepting blocks; two words a row. */
  readonly daaScores: Uint32Array
  /** `COINBASE` and `COVENANT`. */
  readonly flags: Uint8Array
  /** Indexes in `scripts`. */
  readonly scriptOf: Uint32Array
  readonly scripts: readonly AddressScript[]
  /** Ids of the covenants, by row. */
  readonly covenantIds: ReadonlyMap<number, string>
}

/** Rows of one step of work on columns: some ms where the code is not optimized yet. */
export const ROWS_PER_STEP = 4_096
/** Rows of one call: the engine optimizes a function, but not the body of a generator, while it runs. */
export const ROWS_PER_CALL = 512

/** Bits of `flags`. */
export const COINBASE = 1
export const COVENANT = 2

/** Words of a transaction id. */
export const ID_WORDS = 8

/** The arrays of a `UtxoColumns`, to be filled. */
export type ColumnArrays = Pick<
  UtxoColumns,
  'transactionIds' | 'indexes' | 'amounts' | 'daaScores' | 'flags' | 'scriptOf'
>

/** The columns of filled arrays: of one shape, because the engine optimizes the code that reads them for each shape. */
export const toColumns = (
  { transactionIds, indexes, amounts, daaScores, flags, scriptOf }: ColumnArrays,
  { count, scripts, covenantIds }: Pick<UtxoColumns, 'count' | 'scripts' | 'covenantIds'>,
): UtxoColumns => ({ count, transactionIds, indexes, amounts, daaScores, flags, scriptOf, scripts, covenantIds })

/** Allocates the arrays in one buffer, because an address may have few UTXOs, and a wallet many addresses. */
export function allocateColumns(rows: number): ColumnArrays {
  const buffer = new ArrayBuffer(BYTES_PER_ROW * rows)
  let at = 0
  const words = (count: number): Uint32Array => {
    const array = new Uint32Array(buffer, at, count * rows)
    at += array.byteLength
    return array
  }
  return {
    transactionIds: words(ID_WORDS),
    indexes: words(1),
    amounts: words(2),
    daaScores: words(2),
    scriptOf: words(1),
    flags: new Uint8Array(buffer, at, rows),
  }
}

const BYTES_PER_ROW = 4 * (ID_WORDS + 1 + 2 + 2 + 1) + 1

/** Rows of columns that are no UTXOs any more: a bit a row, set for a dead one; null where none is dead. */
export type DeadRows = Uint8Array | null

export const isDead = (dead: DeadRows, row: number): boolean =>
  dead !== null && ((dead[row >> 3] ?? 0) & (1 << (row & 7))) !== 0

/** No row of `count` is dead yet. */
export const noDeadRows = (count: number): Uint8Array => new Uint8Array((count + 7) >> 3)

export function markDead(dead: Uint8Array, row: number): void {
  dead[row >> 3] = (dead[row >> 3] ?? 0) | (1 << (row & 7))
}

/** Numbers the distinct scripts of columns. */
export interface ScriptTable {
  readonly all: readonly AddressScript[]
  /** The number of a script with its address, added where it is new. */
  indexOf(address: string | undefined, script: ScriptPublicKey): number
}

/** Finds a script by its object first: decoders return one object for equal scripts. */
export function createScriptTable(): ScriptTable {
  const all: AddressScript[] = []
  const byObject = new Map<ScriptPublicKey, number>()
  const byText = new Map<string, number>()

  function find(address: string | undefined, scriptPublicKey: ScriptPublicKey): number {
    const key = `${address} ${toScriptKey(scriptPublicKey)}`
    const index = byText.get(key) ?? all.push({ address, scriptPublicKey }) - 1
    byText.set(key, index)
    byObject.set(scriptPublicKey, index)
    return index
  }
  return {
    all,
    indexOf: (address, script) => {
      const index = byObject.get(script)
      return index !== undefined && all[index]?.address === address ? index : find(address, script)
    },
  }
}

/** The rows of several blocks of columns, in order. */
export function concatArrays(blocks: readonly ColumnArrays[], count: number): ColumnArrays {
  const all = allocateColumns(count)
  let row = 0
  for (const { transactionIds, indexes, amounts, daaScores, scriptOf, flags } of blocks) {
    all.transactionIds.set(transactionIds, ID_WORDS * row)
    all.indexes.set(indexes, row)
    all.amounts.set(amounts, 2 * row)
    all.daaScores.set(daaScores, 2 * row)
    all.scriptOf.set(scriptOf, row)
    all.flags.set(flags, row)
    row += flags.length
  }
  return all
}

/**
 * Does `work` on ranges of rows, one after the other, and yields between them: a million rows in steps of well below a
 * millisecond, a few thousand in one.
 */
export function* eachChunk(count: number, work: (first: number, end: number) => void): Generator<undefined, void> {
  for (let first = 0; first < count; first += ROWS_PER_STEP) {
    if (first > 0) yield
    work(first, Math.min(count, first + ROWS_PER_STEP))
  }
}

/** Does `work` on each part, which yields within large ones; yields itself between many small ones. */
export function* eachPart<Part>(
  parts: readonly Part[],
  countOf: (part: Part) => number,
  work: (part: Part, at: number) => Generator<undefined, void>,
): Generator<undefined, void> {
  let rows = 0
  for (const [at, part] of parts.entries()) {
    rows += countOf(part)
    if (at > 0 && rows > ROWS_PER_STEP) {
      yield
      rows = countOf(part)
    }
    yield* work(part, at)
  }
}
