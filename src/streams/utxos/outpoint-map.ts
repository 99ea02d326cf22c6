import type { Outpoint, UtxoEntry } from '../../model/utxo.js'

/**
 * Entries by outpoint. A `Map` would do, with a text for each outpoint as its key: this one makes no texts, and looks at
 * an entry only where a fingerprint says that it is the one, so that a change costs the same in a large set as in a small.
 */
export interface OutpointMap {
  readonly size: number
  get(outpoint: Outpoint): UtxoEntry | undefined
  /** Puts an entry in; what stood in its place. */
  put(entry: UtxoEntry): UtxoEntry | undefined
  /** Takes an entry out; undefined where there is none. */
  take(outpoint: Outpoint): UtxoEntry | undefined
  /** All entries of now, in no promised order. */
  values(): UtxoEntry[]
}

/**
 * Open addressing. Slot n holds a fingerprint at 2n and at 2n + 1 the entry's place among `entries`, counted from 1 so
 * that 0 is empty. At least half of the slots are, and a removal moves the followers up: there are no gravestones.
 */
interface Table {
  slots: Int32Array
  readonly entries: (UtxoEntry | undefined)[]
  /** Places that removals have left. */
  readonly vacant: number[]
  readonly seed: number
}

const FEWEST_SLOTS = 16

/** An empty map. `seed` is any number; a secret one keeps strangers from choosing outpoints that collide. */
export function createOutpointMap(seed = 0): OutpointMap {
  const table: Table = { slots: emptySlots(FEWEST_SLOTS), entries: [], vacant: [], seed }
  const size = (): number => table.entries.length - table.vacant.length
  return {
    get size() {
      return size()
    },
    get: (outpoint) => entryAt(table, find(table, outpoint, fingerprint(outpoint, seed))),
    put: (entry) => {
      const print = fingerprint(entry.outpoint, seed)
      const slot = find(table, entry.outpoint, print)
      const before = entryAt(table, slot)
      if (before !== undefined) table.entries[placeAt(table, slot)] = entry
      else fill(table, slot, print, entry)
      if (size() > slotsOf(table) / 2) rebuild(table)
      return before
    },
    take: (outpoint) => {
      const slot = find(table, outpoint, fingerprint(outpoint, seed))
      const entry = entryAt(table, slot)
      if (entry !== undefined) empty(table, slot)
      if (size() < slotsOf(table) / 16 && slotsOf(table) > FEWEST_SLOTS) rebuild(table)
      return entry
    },
    values: () => valuesOf(table),
  }
}

const valuesOf = ({ entries }: Table): UtxoEntry[] => entries.filter((entry) => entry !== undefined)

const emptySlots = (count: number): Int32Array => new Int32Array(2 * count)

const printAt = ({ slots }: Table, slot: number): number => slots[2 * slot] ?? 0

/** -1 in an empty slot. */
const placeAt = ({ slots }: Table, slot: number): number => (slots[2 * slot + 1] ?? 0) - 1

function entryAt(table: Table, slot: number): UtxoEntry | undefined {
  const place = placeAt(table, slot)
  return place < 0 ? undefined : table.entries[place] // an array is slow to say that it has nothing at -1
}

const slotsOf = ({ slots }: Table): number => slots.length / 2

const maskOf = (table: Table): number => slotsOf(table) - 1

/** All digits of the id and the index, stirred: what differs in the last digit only must not collide. */
function fingerprint({ transactionId, index }: Outpoint, seed: number): number {
  let print = seed ^ index
  for (let at = 0; at < transactionId.length; at++) print = Math.imul(print ^ transactionId.charCodeAt(at), 0x0100_0193)
  print = Math.imul(print ^ (print >>> 15), 0x2c1b_3c6d)
  return print ^ (print >>> 13)
}

/** The slot of an outpoint: where it is, or where it would be. */
function find(table: Table, { transactionId, index }: Outpoint, print: number): number {
  const mask = maskOf(table)
  for (let slot = print & mask; ; slot = (slot + 1) & mask) {
    if (placeAt(table, slot) < 0) return slot
    if (printAt(table, slot) !== print) continue
    const outpoint = entryAt(table, slot)?.outpoint
    if (outpoint?.index === index && outpoint.transactionId === transactionId) return slot
  }
}

function fill(table: Table, slot: number, print: number, entry: UtxoEntry): void {
  const place = table.vacant.pop() ?? table.entries.length
  table.entries[place] = entry
  write(table, slot, print, place)
}

function write({ slots }: Table, slot: number, print: number, place: number): void {
  slots[2 * slot] = print
  slots[2 * slot + 1] = place + 1
}

/** Empties a slot, and moves up whoever was pushed on by it. */
function empty(table: Table, slot: number): void {
  const mask = maskOf(table)
  const place = placeAt(table, slot)
  table.entries[place] = undefined
  table.vacant.push(place)
  let hole = slot
  for (let next = (slot + 1) & mask; placeAt(table, next) >= 0; next = (next + 1) & mask) {
    const pushedBy = (next - printAt(table, next)) & mask
    if (pushedBy < ((next - hole) & mask)) continue
    write(table, hole, printAt(table, next), placeAt(table, next))
    hole = next
  }
  write(table, hole, 0, -1)
}

/** Makes it at least four times as many slots as entries, and leaves no place vacant. */
function rebuild(table: Table): void {
  const { slots: before } = table
  const entries = [...table.entries]
  let count = FEWEST_SLOTS
  while (count < 4 * (entries.length - table.vacant.length)) count *= 2
  table.slots = emptySlots(count)
  table.entries.length = 0
  table.vacant.length = 0
  for (let at = 0; at < before.length; at += 2) {
    const entry = entries[(before[at + 1] ?? 0) - 1]
    if (entry !== undefined) fill(table, freeSlot(table, before[at] ?? 0), before[at] ?? 0, entry)
  }
}

function freeSlot(table: Table, print: number): number {
  let slot = print & maskOf(table)
  while (placeAt(table, slot) >= 0) slot = (slot + 1) & maskOf(table)
  return slot
}
