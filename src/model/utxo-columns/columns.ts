import type { ScriptPublicKey } from '../utxo.js'

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
