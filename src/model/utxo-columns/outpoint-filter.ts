import { toOutpointKey, type Outpoint, type OutpointKey } from '../utxo.js'
import { ID_WORDS, type UtxoColumns } from './columns.js'
import { readId, writeId } from './records.js'

/** Bits of an id that are looked up first. */
const PREFIX_BITS = 16

/**
 * Some outpoints, to find their rows among many. Most rows differ in a few bits of their ids, all but equal ones in a
 * hash: only those cost a text.
 */
export class OutpointFilter {
  readonly #keys = new Set<OutpointKey>()
  readonly #hashes = new Set<number>()
  /** Which prefixes the ids have. */
  readonly #prefixes = new Uint8Array(2 ** PREFIX_BITS)

  constructor(outpoints: Iterable<Outpoint>) {
    const id = new Uint32Array(ID_WORDS)
    for (const outpoint of outpoints) {
      writeId(id, 0, outpoint.transactionId)
      const hash = hashOf(id, 0, outpoint.index)
      this.#keys.add(toOutpointKey(outpoint))
      this.#hashes.add(hash)
      this.#prefixes[prefixOf(id, 0)] = 1
    }
  }

  /** Whether a row has one of the outpoints. */
  has(columns: UtxoColumns, row: number): boolean {
    if (this.#prefixes[prefixOf(columns.transactionIds, row)] !== 1) return false
    return (
      this.#hashes.has(hashOf(columns.transactionIds, row, columns.indexes[row] ?? 0)) &&
      this.#keys.has(toOutpointKey(outpointAt(columns, row)))
    )
  }
}

/** The outpoint of a row, a new object each time. */
export const outpointAt = (columns: UtxoColumns, row: number): Outpoint => ({
  transactionId: readId(columns, row),
  index: columns.indexes[row] ?? 0,
})

/** Of the first and the last word: ids that people make up often begin or end equally. */
const prefixOf = (ids: Uint32Array, row: number): number =>
  ((ids[ID_WORDS * row] ?? 0) ^ (ids[ID_WORDS * row + ID_WORDS - 1] ?? 0)) >>> (32 - PREFIX_BITS)

/** Of all words and the index: outputs of one transaction differ only in it. */
function hashOf(ids: Uint32Array, row: number, index: number): number {
  let hash = index
  for (let word = ID_WORDS * row; word < ID_WORDS * (row + 1); word++) {
    hash = Math.imul(hash ^ (ids[word] ?? 0), 0x9e37_79b1)
    hash ^= hash >>> 15
  }
  return hash
}
