import type { Outpoint, UtxoEntry } from '../../../model/utxo.js'
import type { OutpointHash } from './outpoint-hash.js'

const MIN_SLOTS = 8

/**
 * Entries by outpoint. Unlike a `Map` with string keys it allocates no strings, and it reads an entry only where the
 * hash matches, so that an update costs the same in a large set as in a small one.
 *
 * Open addressing with linear probing. Slot n is the hash at 2n, and at 2n + 1 the entry's index plus one; 0 is empty.
 * At least half of the slots are empty. A removal shifts the following slots back, so there are no tombstones.
 */
export class OutpointMap<Entry extends { readonly outpoint: Outpoint } = UtxoEntry> {
  #slots = emptySlots(MIN_SLOTS)
  #entries: (Entry | undefined)[] = []
  /** Free indexes in `#entries`. */
  readonly #freeIndexes: number[] = []
  readonly #hash: OutpointHash

  constructor(hash: OutpointHash) {
    this.#hash = hash
  }

  /** An empty map with the same hash. */
  emptyCopy(): OutpointMap<Entry> {
    return new OutpointMap<Entry>(this.#hash)
  }

  get size(): number {
    return this.#entries.length - this.#freeIndexes.length
  }

  get(outpoint: Outpoint): Entry | undefined {
    return this.#entryAt(this.#find(outpoint, this.#hash(outpoint)))
  }

  /** Inserts or replaces an entry; returns the replaced one. */
  put(entry: Entry): Entry | undefined {
    const hash = this.#hash(entry.outpoint)
    const slot = this.#find(entry.outpoint, hash)
    const before = this.#entryAt(slot)
    if (before !== undefined) this.#entries[this.#entryIndexAt(slot)] = entry
    else this.#insert(slot, hash, entry)
    if (this.size > this.#count / 2) this.#rebuild(4 * this.size)
    return before
  }

  /**
   * Inserts many entries into an empty map. Allocates all slots at once, so that a long snapshot causes no rehashing.
   */
  fill(entries: readonly Entry[]): void {
    this.#rebuild(2 * entries.length)
    this.#entries = entries.slice()
    const slots = this.#slots
    const last = slots.length - 2
    entries.forEach(({ outpoint }, entryIndex) => {
      const hash = this.#hash(outpoint)
      let at = (2 * hash) & last
      while ((slots[at + 1] ?? 0) > 0 && slots[at] !== hash) at = (at + 2) & last
      if ((slots[at + 1] ?? 0) > 0) at = 2 * this.#slotToReplace(outpoint, hash)
      slots[at] = hash
      slots[at + 1] = entryIndex + 1
    })
  }

  /** Removes and returns an entry; undefined if absent. */
  remove(outpoint: Outpoint): Entry | undefined {
    const slot = this.#find(outpoint, this.#hash(outpoint))
    const entry = this.#entryAt(slot)
    if (entry !== undefined) this.#removeSlot(slot)
    if (this.size < this.#count / 16 && this.#count > MIN_SLOTS) this.#rebuild(4 * this.size)
    return entry
  }

  clear(): void {
    this.#slots = emptySlots(MIN_SLOTS)
    this.#entries = []
    this.#freeIndexes.length = 0
  }

  /** A copy of all entries, in no particular order. */
  values(): Entry[] {
    return this.#entries.filter((entry) => entry !== undefined)
  }

  get #count(): number {
    return this.#slots.length / 2
  }

  #hashAt(slot: number): number {
    return this.#slots[2 * slot] ?? 0
  }

  /** -1 for an empty slot. */
  #entryIndexAt(slot: number): number {
    return (this.#slots[2 * slot + 1] ?? 0) - 1
  }

  #entryAt(slot: number): Entry | undefined {
    const entryIndex = this.#entryIndexAt(slot)
    return entryIndex < 0 ? undefined : this.#entries[entryIndex] // reading index -1 of an array is slow
  }

  /** The slot that contains the outpoint, or the empty slot for it. */
  #find({ transactionId, index }: Outpoint, hash: number): number {
    const mask = this.#count - 1
    for (let slot = hash & mask; ; slot = (slot + 1) & mask) {
      if (this.#entryIndexAt(slot) < 0) return slot
      if (this.#hashAt(slot) !== hash) continue
      const outpoint = this.#entryAt(slot)?.outpoint
      if (outpoint?.index === index && outpoint.transactionId === transactionId) return slot
    }
  }

  /** The slot for an outpoint whose hash is in the map. The entry of an equal outpoint is freed. */
  #slotToReplace(outpoint: Outpoint, hash: number): number {
    const slot = this.#find(outpoint, hash)
    if (this.#entryIndexAt(slot) >= 0) this.#freeEntry(this.#entryIndexAt(slot))
    return slot
  }

  #insert(slot: number, hash: number, entry: Entry): void {
    const entryIndex = this.#freeIndexes.pop() ?? this.#entries.length
    this.#entries[entryIndex] = entry
    this.#write(slot, hash, entryIndex)
  }

  #write(slot: number, hash: number, entryIndex: number): void {
    this.#slots[2 * slot] = hash
    this.#slots[2 * slot + 1] = entryIndex + 1
  }

  #freeEntry(entryIndex: number): void {
    this.#entries[entryIndex] = undefined
    this.#freeIndexes.push(entryIndex)
  }

  /** Clears a slot, and shifts back the entries that were displaced by it. */
  #removeSlot(slot: number): void {
    const mask = this.#count - 1
    this.#freeEntry(this.#entryIndexAt(slot))
    let hole = slot
    for (let next = (slot + 1) & mask; this.#entryIndexAt(next) >= 0; next = (next + 1) & mask) {
      const pushedBy = (next - this.#hashAt(next)) & mask
      if (pushedBy < ((next - hole) & mask)) continue
      this.#write(hole, this.#hashAt(next), this.#entryIndexAt(next))
      hole = next
    }
    this.#write(hole, 0, -1)
  }

  /** Rehashes into at least `slots` slots, and compacts `#entries`. */
  #rebuild(slots: number): void {
    const before = this.#slots
    const entries = [...this.#entries]
    let count = MIN_SLOTS
    while (count < slots) count *= 2
    this.#slots = emptySlots(count)
    this.#entries.length = 0
    this.#freeIndexes.length = 0
    for (let at = 0; at < before.length; at += 2) {
      const hash = before[at] ?? 0
      const entry = entries[(before[at + 1] ?? 0) - 1]
      if (entry !== undefined) this.#insert(this.#freeSlot(hash), hash, entry)
    }
  }

  #freeSlot(hash: number): number {
    let slot = hash & (this.#count - 1)
    while (this.#entryIndexAt(slot) >= 0) slot = (slot + 1) & (this.#count - 1)
    return slot
  }
}

const emptySlots = (count: number): Int32Array => new Int32Array(2 * count)
