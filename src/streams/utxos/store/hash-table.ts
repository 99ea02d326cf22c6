const MIN_SLOTS = 8

/** At least one slot in three is empty: a search that finds nothing reads five of them, neighbours in memory. */
const MAX_LOAD = 2 / 3
const MIN_LOAD = 1 / 16

/** By how much a table grows at least, so that many additions cost constant time each. */
const GROWTH = 2

/**
 * Numbers by hash; equal hashes may have several, which the caller compares. It reads what a number stands for only
 * where the hash matches, so that an update costs the same in a large table as in a small one.
 *
 * Open addressing with linear probing. Slot n is the hash at 2n, and at 2n + 1 the number plus one; 0 is empty. The
 * search begins at the share of the slots that the hash is of its range, which needs no power of two: a snapshot takes
 * twelve bytes an entry, whatever its length. A removal shifts the following slots back, so there are no tombstones.
 */
export class HashTable {
  #slots = new Int32Array(2 * MIN_SLOTS)
  #size = 0

  get size(): number {
    return this.#size
  }

  /** The position of the first number of a hash; -1 if there is none. A position is valid until the next change. */
  first(hash: number): number {
    return find(this.#slots, hash, homeOf(hash, this.#slots))
  }

  /** The position of the next number of the same hash; -1 if there is none. */
  next(position: number): number {
    const slots = this.#slots
    return find(slots, slots[position] ?? 0, after(position, slots))
  }

  numberAt(position: number): number {
    return (this.#slots[position + 1] ?? 0) - 1
  }

  add(hash: number, number: number): void {
    this.reserve(1)
    insert(this.#slots, hash, number)
    this.#size++
  }

  /**
   * Adds many hashes from `from` on, up to the first that the table has already; returns its index. The number of the
   * hash at `index` is `number + step * index`. Their slots have to be reserved.
   */
  addNew(hashes: Int32Array, from: number, number: number, step: 0 | 1): number {
    const index = insertNew(this.#slots, hashes, from, number, step)
    this.#size += index - from
    return index
  }

  /** Removes the number at a position, and moves the following slots back, as far as their hashes allow. */
  removeAt(position: number): void {
    const slots = this.#slots
    let hole = position
    for (let at = after(hole, slots); (slots[at + 1] ?? 0) > 0; at = after(at, slots)) {
      const hash = slots[at] ?? 0
      if (distance(homeOf(hash, slots), at, slots) < distance(hole, at, slots)) continue
      slots[hole] = hash
      slots[hole + 1] = slots[at + 1] ?? 0
      hole = at
    }
    slots[hole + 1] = 0
    this.#size--
    const count = slots.length / 2
    if (this.#size < MIN_LOAD * count && count > MIN_SLOTS) this.#resize(Math.max(MIN_SLOTS, count >> 2))
  }

  /** Allocates the slots of so many more, at once. */
  reserve(count: number): void {
    const slots = this.#slots.length / 2
    const needed = this.#size + count
    if (needed > MAX_LOAD * slots) this.#resize(Math.ceil(Math.max(needed / MAX_LOAD, GROWTH * slots)))
  }

  clear(): void {
    this.#slots = new Int32Array(2 * MIN_SLOTS)
    this.#size = 0
  }

  /** Writes each hash to the index that is its number. */
  copyHashes(hashes: Int32Array): void {
    const slots = this.#slots
    for (let at = 0; at < slots.length; at += 2) {
      const number = (slots[at + 1] ?? 0) - 1
      if (number >= 0) hashes[number] = slots[at] ?? 0
    }
  }

  #resize(count: number): void {
    const before = this.#slots
    const slots = new Int32Array(2 * count)
    for (let at = 0; at < before.length; at += 2) {
      const number = (before[at + 1] ?? 0) - 1
      if (number >= 0) insert(slots, before[at] ?? 0, number)
    }
    this.#slots = slots
  }
}

/** Where the search for a hash begins. */
const homeOf = (hash: number, { length }: Int32Array): number => (((hash >>> 0) * (length / 2 ** 33)) | 0) << 1

const after = (position: number, { length }: Int32Array): number => (position + 2 === length ? 0 : position + 2)

const distance = (from: number, to: number, { length }: Int32Array): number =>
  to < from ? to - from + length : to - from

function find(slots: Int32Array, hash: number, from: number): number {
  for (let at = from; (slots[at + 1] ?? 0) > 0; at = after(at, slots)) if (slots[at] === hash) return at
  return -1
}

function insert(slots: Int32Array, hash: number, number: number): void {
  let at = homeOf(hash, slots)
  while ((slots[at + 1] ?? 0) > 0) at = after(at, slots)
  slots[at] = hash
  slots[at + 1] = number + 1
}

function insertNew(slots: Int32Array, hashes: Int32Array, from: number, number: number, step: 0 | 1): number {
  for (let index = from; index < hashes.length; index++) {
    const hash = hashes[index] ?? 0
    let at = homeOf(hash, slots)
    for (; (slots[at + 1] ?? 0) > 0; at = after(at, slots)) if (slots[at] === hash) return index
    slots[at] = hash
    slots[at + 1] = number + step * index + 1
  }
  return hashes.length
}
