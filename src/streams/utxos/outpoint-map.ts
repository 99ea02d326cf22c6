import type { Outpoint, UtxoEntry } from '../../model/utxo.js'

const FEWEST_SLOTS = 8

/**
 * Entries by outpoint. A `Map` would do, with a text for each outpoint as its key: this one makes no texts, and looks at
 * an entry only where a fingerprint says that it is the one, so that a change costs the same in a large set as in a small.
 *
 * Open addressing. Slot n holds a fingerprint at 2n, and at 2n + 1 the entry's place, counted from 1 so that 0 is empty.
 * At least half of the slots are, and a removal moves the followers up: there are no gravestones.
 */
export class OutpointMap {
  #slots = emptySlots(FEWEST_SLOTS)
  #entries: (UtxoEntry | undefined)[] = []
  /** Places that removals have left. */
  readonly #vacant: number[] = []
  readonly #seed: number

  /** `seed` is any number; a secret one keeps strangers from choosing outpoints that collide. */
  constructor(seed = 0) {
    this.#seed = seed
  }

  get size(): number {
    return this.#entries.length - this.#vacant.length
  }

  get(outpoint: Outpoint): UtxoEntry | undefined {
    return this.#entryAt(this.#find(outpoint, fingerprint(outpoint, this.#seed)))
  }

  /** Puts an entry in; what stood in its place. */
  put(entry: UtxoEntry): UtxoEntry | undefined {
    const print = fingerprint(entry.outpoint, this.#seed)
    const slot = this.#find(entry.outpoint, print)
    const before = this.#entryAt(slot)
    if (before !== undefined) this.#entries[this.#placeAt(slot)] = entry
    else this.#fill(slot, print, entry)
    if (this.size > this.#count / 2) this.#rebuild(4 * this.size)
    return before
  }

  /**
   * Puts many entries into an empty map: what as many single puts come to. Nothing grows on the way, so that a long first
   * snapshot leaves no garbage behind.
   */
  fill(entries: readonly UtxoEntry[]): void {
    this.#rebuild(2 * entries.length)
    this.#entries = entries.slice()
    entries.forEach((entry, place) => {
      const print = fingerprint(entry.outpoint, this.#seed)
      const slot = this.#find(entry.outpoint, print)
      if (this.#placeAt(slot) >= 0) this.#vacate(this.#placeAt(slot))
      this.#write(slot, print, place)
    })
  }

  /** Takes an entry out; undefined where there is none. */
  take(outpoint: Outpoint): UtxoEntry | undefined {
    const slot = this.#find(outpoint, fingerprint(outpoint, this.#seed))
    const entry = this.#entryAt(slot)
    if (entry !== undefined) this.#empty(slot)
    if (this.size < this.#count / 16 && this.#count > FEWEST_SLOTS) this.#rebuild(4 * this.size)
    return entry
  }

  /** All entries of now, in no promised order. */
  values(): UtxoEntry[] {
    return this.#entries.filter((entry) => entry !== undefined)
  }

  get #count(): number {
    return this.#slots.length / 2
  }

  #printAt(slot: number): number {
    return this.#slots[2 * slot] ?? 0
  }

  /** -1 in an empty slot. */
  #placeAt(slot: number): number {
    return (this.#slots[2 * slot + 1] ?? 0) - 1
  }

  #entryAt(slot: number): UtxoEntry | undefined {
    const place = this.#placeAt(slot)
    return place < 0 ? undefined : this.#entries[place] // an array is slow to say that it has nothing at -1
  }

  /** The slot of an outpoint: where it is, or where it would be. */
  #find({ transactionId, index }: Outpoint, print: number): number {
    const mask = this.#count - 1
    for (let slot = print & mask; ; slot = (slot + 1) & mask) {
      if (this.#placeAt(slot) < 0) return slot
      if (this.#printAt(slot) !== print) continue
      const outpoint = this.#entryAt(slot)?.outpoint
      if (outpoint?.index === index && outpoint.transactionId === transactionId) return slot
    }
  }

  #fill(slot: number, print: number, entry: UtxoEntry): void {
    const place = this.#vacant.pop() ?? this.#entries.length
    this.#entries[place] = entry
    this.#write(slot, print, place)
  }

  #write(slot: number, print: number, place: number): void {
    this.#slots[2 * slot] = print
    this.#slots[2 * slot + 1] = place + 1
  }

  #vacate(place: number): void {
    this.#entries[place] = undefined
    this.#vacant.push(place)
  }

  /** Empties a slot, and moves up whoever was pushed on by it. */
  #empty(slot: number): void {
    const mask = this.#count - 1
    this.#vacate(this.#placeAt(slot))
    let hole = slot
    for (let next = (slot + 1) & mask; this.#placeAt(next) >= 0; next = (next + 1) & mask) {
      const pushedBy = (next - this.#printAt(next)) & mask
      if (pushedBy < ((next - hole) & mask)) continue
      this.#write(hole, this.#printAt(next), this.#placeAt(next))
      hole = next
    }
    this.#write(hole, 0, -1)
  }

  /** Makes it `slots` or a few more, and leaves no place vacant. */
  #rebuild(slots: number): void {
    const before = this.#slots
    const entries = [...this.#entries]
    let count = FEWEST_SLOTS
    while (count < slots) count *= 2
    this.#slots = emptySlots(count)
    this.#entries.length = 0
    this.#vacant.length = 0
    for (let at = 0; at < before.length; at += 2) {
      const print = before[at] ?? 0
      const entry = entries[(before[at + 1] ?? 0) - 1]
      if (entry !== undefined) this.#fill(this.#freeSlot(print), print, entry)
    }
  }

  #freeSlot(print: number): number {
    let slot = print & (this.#count - 1)
    while (this.#placeAt(slot) >= 0) slot = (slot + 1) & (this.#count - 1)
    return slot
  }
}

const emptySlots = (count: number): Int32Array => new Int32Array(2 * count)

/**
 * The last digits of the id and the index, stirred: what differs in one digit only must not collide. An id is a hash, so
 * that sixteen of its digits tell apart what all of them do: nobody can find many ids that share these.
 */
function fingerprint({ transactionId, index }: Outpoint, seed: number): number {
  let print = seed ^ index
  for (let at = Math.max(0, transactionId.length - 16); at < transactionId.length; at++)
    print = Math.imul(print ^ transactionId.charCodeAt(at), 0x0100_0193)
  print = Math.imul(print ^ (print >>> 15), 0x2c1b_3c6d)
  return print ^ (print >>> 13)
}
