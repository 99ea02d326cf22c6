const MIN_SLOTS = 1024

/**
 * The sets that have outpoints, by the hash of the outpoint: a hint, which the caller verifies, because different
 * outpoints may have equal hashes. Takes 16 to 32 bytes an outpoint.
 *
 * Open addressing with linear probing. Slot n is the hash at 2n, and at 2n + 1 the number of the set plus one; 0 is
 * empty. At least half of the slots are empty. A removal shifts the following slots back, so there are no tombstones.
 */
export class SetIndex {
  #slots = new Int32Array(2 * MIN_SLOTS)
  #used = 0

  /**
   * Records a set, unless another one has the outpoint: then returns that one's number. -1 once it is recorded.
   * `hasOutpoint`: whether a set, recorded with an equal hash, has it.
   */
  claim(hash: number, set: number, hasOutpoint: (other: number) => boolean): number {
    const slots = this.#slots
    const last = slots.length - 2
    let isRecorded = false
    let at = (2 * hash) & last
    for (let number = slots[at + 1] ?? 0; number > 0; number = slots[at + 1] ?? 0) {
      if (slots[at] === hash) {
        if (number - 1 === set) isRecorded = true
        else if (hasOutpoint(number - 1)) return number - 1
      }
      at = (at + 2) & last
    }
    if (!isRecorded) this.#insert(at, hash, set)
    return -1
  }

  /** Claims many for one set, row by row; returns the rows whose outpoint another set has. */
  claimRows(hashes: Int32Array, set: number, hasRow: (row: number, other: number) => boolean): readonly number[] {
    this.reserve(hashes.length)
    const refused: number[] = []
    for (let first = 0; first < hashes.length;) {
      const row = insertNew(this.#slots, hashes, set, first)
      this.#used += row - first
      first = row + 1
      if (row === hashes.length) break
      if (this.claim(hashes[row] ?? 0, set, (other) => hasRow(row, other)) >= 0) refused.push(row)
    }
    return refused
  }

  release(hash: number, set: number): void {
    const slots = this.#slots
    const last = slots.length - 2
    let at = (2 * hash) & last
    for (let number = slots[at + 1] ?? 0; number > 0; number = slots[at + 1] ?? 0) {
      if (slots[at] === hash && number - 1 === set) {
        this.#remove(at)
        return
      }
      at = (at + 2) & last
    }
  }

  clear(): void {
    this.#slots = new Int32Array(2 * MIN_SLOTS)
    this.#used = 0
  }

  #insert(at: number, hash: number, set: number): void {
    this.#slots[at] = hash
    this.#slots[at + 1] = set + 1
    this.#used++
    if (4 * this.#used > this.#slots.length) this.#resize(2 * this.#slots.length)
  }

  /** Allocates the slots of so many more, at once. */
  reserve(count: number): void {
    let { length } = this.#slots
    while (4 * (this.#used + count) > length) length *= 2
    if (length > this.#slots.length) this.#resize(length)
  }

  /** Moves the following slots back, as far as their hashes allow. */
  #remove(removed: number): void {
    const slots = this.#slots
    const last = slots.length - 2
    let hole = removed
    let at = (hole + 2) & last
    for (let number = slots[at + 1] ?? 0; number > 0; number = slots[at + 1] ?? 0) {
      const hash = slots[at] ?? 0
      const home = (2 * hash) & last
      if (((at - home) & last) >= ((at - hole) & last)) {
        slots[hole] = hash
        slots[hole + 1] = number
        hole = at
      }
      at = (at + 2) & last
    }
    slots[hole + 1] = 0
    this.#used--
    if (16 * this.#used < slots.length && slots.length > 2 * MIN_SLOTS) this.#resize(slots.length / 2)
  }

  #resize(length: number): void {
    const before = this.#slots
    const slots = new Int32Array(length)
    const last = length - 2
    for (let from = 0; from < before.length; from += 2) {
      const number = before[from + 1] ?? 0
      if (number === 0) continue
      const hash = before[from] ?? 0
      let at = (2 * hash) & last
      while ((slots[at + 1] ?? 0) > 0) at = (at + 2) & last
      slots[at] = hash
      slots[at + 1] = number
    }
    this.#slots = slots
  }
}

/** Records hashes for a set, from `first` on, up to the first that is recorded already; returns its position. */
function insertNew(slots: Int32Array, hashes: Int32Array, set: number, first: number): number {
  const last = slots.length - 2
  for (let row = first; row < hashes.length; row++) {
    const hash = hashes[row] ?? 0
    let at = (2 * hash) & last
    for (; (slots[at + 1] ?? 0) > 0; at = (at + 2) & last) if (slots[at] === hash) return row
    slots[at] = hash
    slots[at + 1] = set + 1
  }
  return hashes.length
}
