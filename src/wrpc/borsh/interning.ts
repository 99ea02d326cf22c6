import type { Cursor } from './cursor.js'

/** Decodes a value from bytes of a frame. */
export type Make<T> = (bytes: Uint8Array, start: number, length: number) => T

/** A cache of decoded values, keyed by four or more bytes of a frame. */
export interface Interned<T> {
  /** The value of `length` bytes from `start` in the cursor's frame. */
  valueOf(cursor: Cursor, start: number, length: number): T
  /** Adds a value that is not cached yet. */
  add(bytes: Uint8Array, value: T): void
}

/** The number of slots, a power of two. */
export const SLOTS = 8192

/** The longest cached key, bytes: an address takes at most 39, the usual scripts 41. */
const MAX_KEY_LENGTH = 48

interface Slot<T> {
  readonly length: number
  readonly value: T
}

/**
 * Returns the same value for equal bytes while it is cached, in one of two slots. The hash uses the middle bytes, which
 * are random in addresses and scripts. A wallet's UTXOs belong to few addresses, so most lookups hit.
 */
export function createInterned<T>(make: Make<T>): Interned<T> {
  const slots = new Array<Slot<T> | undefined>(SLOTS)
  const keys = new Uint8Array(SLOTS * MAX_KEY_LENGTH)
  const keyView = new DataView(keys.buffer)
  const store = (slot: number, key: Uint8Array, value: T): void => {
    keys.set(key, slot * MAX_KEY_LENGTH)
    slots[slot] = { length: key.length, value }
  }
  return {
    valueOf: ({ bytes, view }, start, length) => {
      if (length > MAX_KEY_LENGTH) return make(bytes, start, length)
      let slot = slotOf(view, start, length)
      for (let probe = 0; probe < 2; probe++) {
        slot ^= probe // the second probe reads the neighbouring slot
        const entry = slots[slot]
        if (entry === undefined) break
        if (entry.length === length && equals(keyView, slot * MAX_KEY_LENGTH, view, start, length)) return entry.value
      }
      const value = make(bytes, start, length)
      store(slot, bytes.subarray(start, start + length), value)
      return value
    },
    add: (bytes, value) => {
      const slot = slotOf(new DataView(bytes.buffer, bytes.byteOffset), 0, bytes.length)
      store(slots[slot] === undefined ? slot : slot ^ 1, bytes, value)
    },
  }
}

function slotOf(view: DataView, start: number, length: number): number {
  const middle = view.getInt32(start + (length >> 1) - 2)
  return (middle ^ (middle >>> 16)) & (SLOTS - 1)
}

/** Compares four bytes at a time, then single bytes. */
function equals(keys: DataView, offset: number, view: DataView, start: number, length: number): boolean {
  let at = 0
  for (; at + 4 <= length; at += 4) if (keys.getInt32(offset + at) !== view.getInt32(start + at)) return false
  for (; at < length; at++) if (keys.getUint8(offset + at) !== view.getUint8(start + at)) return false
  return true
}
