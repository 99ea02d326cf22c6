import type { Cursor } from './cursor.js'

/** Makes a value from a part of a frame. */
export type Make<T> = (bytes: Uint8Array, start: number, length: number) => T

/** Gives the value of a part of the frame in which the cursor stands, wherever it stands. */
export type Interned<T> = (cursor: Cursor, start: number, length: number) => T

/** How many values are remembered, a power of two. */
const SLOTS = 8192

/** The longest part that is remembered, in bytes: an address takes at most 39, the usual scripts 41. */
const LONGEST = 48

interface Remembered<T> {
  readonly length: number
  readonly value: T
}

/**
 * A `make` that gives equal bytes the same value, made once, as long as it is remembered: in one of two slots, chosen by
 * the middle of the bytes, where addresses and scripts hold what is all but random.
 * A wallet's coins belong to few addresses, so that most of a frame's scripts and addresses are found here.
 */
export function createInterned<T>(make: Make<T>): Interned<T> {
  const slots = new Array<Remembered<T> | undefined>(SLOTS)
  const keys = new DataView(new ArrayBuffer(SLOTS * LONGEST))
  const find = (slot: number, view: DataView, start: number, length: number): Remembered<T> | undefined => {
    const remembered = slots[slot]
    const isSame = remembered?.length === length && equals(keys, slot * LONGEST, view, start, length)
    return isSame ? remembered : undefined
  }
  return ({ bytes, view }, start, length) => {
    if (length > LONGEST) return make(bytes, start, length)
    const slot = slotOf(bytes, start, length)
    const found = find(slot, view, start, length) ?? find(slot ^ 1, view, start, length)
    if (found !== undefined) return found.value
    const value = make(bytes, start, length)
    const target = slots[slot] === undefined ? slot : slot ^ 1
    for (let at = 0; at < length; at++) keys.setUint8(target * LONGEST + at, bytes[start + at] ?? 0)
    slots[target] = { length, value }
    return value
  }
}

function slotOf(bytes: Uint8Array, start: number, length: number): number {
  if (length < 4) return length
  const middle = start + (length >> 1) - 2
  const high = ((bytes[middle] ?? 0) << 8) | (bytes[middle + 1] ?? 0)
  const low = ((bytes[middle + 2] ?? 0) << 8) | (bytes[middle + 3] ?? 0)
  return (high ^ low) & (SLOTS - 1)
}

/** Four bytes at a time, as long as there are so many. */
function equals(keys: DataView, offset: number, view: DataView, start: number, length: number): boolean {
  let at = 0
  for (; at + 4 <= length; at += 4) if (keys.getInt32(offset + at) !== view.getInt32(start + at)) return false
  for (; at < length; at++) if (keys.getUint8(offset + at) !== view.getUint8(start + at)) return false
  return true
}
