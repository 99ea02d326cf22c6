import { HashTable } from './hash-table.js'

/**
 * The sets that have outpoints, by the hash of the outpoint: a hint, which the caller verifies, because different
 * outpoints may have equal hashes.
 */
export class SetIndex {
  readonly #table = new HashTable()

  /**
   * Records a set, unless another one has the outpoint: then returns that one's number. -1 once it is recorded.
   * `hasOutpoint`: whether a set, recorded with an equal hash, has it.
   */
  claim(hash: number, set: number, hasOutpoint: (other: number) => boolean): number {
    const table = this.#table
    let isRecorded = false
    for (let position = table.first(hash); position >= 0; position = table.next(position)) {
      const other = table.numberAt(position)
      if (other === set) isRecorded = true
      else if (hasOutpoint(other)) return other
    }
    if (!isRecorded) table.add(hash, set)
    return -1
  }

  /** Claims many for one set, row by row; returns the rows whose outpoint another set has. */
  claimRows(hashes: Int32Array, set: number, hasRow: (row: number, other: number) => boolean): readonly number[] {
    this.reserve(hashes.length)
    const refused: number[] = []
    for (let first = 0; first < hashes.length;) {
      const row = this.#table.addNew(hashes, first, set, 0)
      first = row + 1
      if (row === hashes.length) break
      if (this.claim(hashes[row] ?? 0, set, (other) => hasRow(row, other)) >= 0) refused.push(row)
    }
    return refused
  }

  release(hash: number, set: number): void {
    const table = this.#table
    for (let position = table.first(hash); position >= 0; position = table.next(position)) {
      if (table.numberAt(position) !== set) continue
      table.removeAt(position)
      return
    }
  }

  /** Allocates the slots of so many more, at once. */
  reserve(count: number): void {
    this.#table.reserve(count)
  }

  clear(): void {
    this.#table.clear()
  }
}
