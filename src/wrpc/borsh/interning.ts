import type { Cursor } from './cursor.js'

/** Makes a value from a part of a frame. */
export type Make<T> = (bytes: Uint8Array, start: number, length: number) => T

/** Values made from parts of frames, for parts of four bytes or more. */
export interface Interned<T> {
  /** The value of a part of the frame in which the cursor stands, wherever it stands. */
  valueOf(cursor: Cursor, start: number, length: number): T
  /** Remembers the value of some bytes that nobody has read yet. */
  learn(bytes: Uint8Array, value: T): void
}

/** How many values are remembered, a power of two. */
export const SLOTS = 8192

/** The longest part that is remembered, in bytes: an address takes at most 39, the usual scripts 41. */
const LONGEST = 48

interface Remembered<T> {
  readonly length: number
  readonly value: T
}

/**
 * Gives equal bytes the same value, made once by `make`, as long as it is remembered: in one of two slots, chosen by the
 * middle of the bytes, where addresses and scripts hold what is all but random.
 * A wallet's coins belong to few addresses, so that most of a frame's scripts and addresses are found here.
 */
export function createInterned<T>(make: Make<T>): Interned<T> {
  const slots = new Array<Remembered<T> | undefined>(SLOTS)
  const keys = new Uint8Array(SLOTS * LONGEST)
  const keyView = new DataView(keys.buffer)
  const remember = (slot: number, key: Uint8Array, value: T): void => {
    keys.set(key, slot * LONGEST)
    slots[slot] = { length: key.length, value }
  }
  return {
    valueOf: ({ bytes, view }, start, length) => {
      if (length > LONGEST) return make(bytes, start, length)
      let slot = slotOf(view, start, length)
      for (let look = 0; look < 2; look++) {
        slot ^= look // the second look is into the slot beside
        const remembered = slots[slot]
        if (remembered === undefined) break
        if (remembered.length === length && equals(keyView, slot * LONGEST, view, start, length))
          return remembered.value
      }
      const value = make(bytes, start, length)
      remember(slot, bytes.subarray(start, start + length), value)
      return value
    },
    learn: (bytes, value) => {
      const slot = slotOf(new DataView(bytes.buffer, bytes.byteOffset), 0, bytes.length)
      remember(slots[slot] === undefined ? slot : slot ^ 1, bytes, value)
    },
  }
}

function slotOf(view: DataView, start: number, length: number): number {
  const middle = view.getInt32(start + (length >> 1) - 2)
  return (middle ^ (middle >>> 16)) & (SLOTS - 1)
}

/** Four bytes at a time, as long as there are so many. */
function equals(keys: DataView, offset: number, view: DataView, start: number, length: number): boolean {
  let at = 0
  for (; at + 4 <= length; at += 4) if (keys.getInt32(offset + at) !== view.getInt32(start + at)) return false
  for (; at < length; at++) if (keys.getUint8(offset + at) !== view.getUint8(start + at)) return false
  return true
}
