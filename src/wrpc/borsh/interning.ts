/** Gives equal bytes the same value, made once, as long as it is remembered. */
export type Interned<T> = (bytes: Uint8Array, start: number, length: number) => T

interface Slot<T> {
  readonly bytes: Uint8Array
  readonly value: T
}

/** How many values are remembered, a power of two. */
const SLOTS = 4096

/**
 * An `Interned` that makes a value by `make` where it has not seen the bytes, or has forgotten them for others: one slot
 * each, chosen by four bytes of their middle, where addresses and scripts hold what is all but random.
 * A wallet's coins belong to few addresses, so that most of a frame's scripts and addresses are found here.
 */
export function createInterned<T>(make: (bytes: Uint8Array) => T): Interned<T> {
  const slots = new Array<Slot<T> | undefined>(SLOTS)
  return (bytes, start, length) => {
    const key = slotOf(bytes, start, length)
    const known = slots[key]
    if (known !== undefined && isSame(known.bytes, bytes, start, length)) return known.value
    const copy = bytes.slice(start, start + length)
    const value = make(copy)
    slots[key] = { bytes: copy, value }
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

function isSame(known: Uint8Array, bytes: Uint8Array, start: number, length: number): boolean {
  if (known.length !== length) return false
  for (let at = 0; at < length; at++) if (known[at] !== bytes[start + at]) return false
  return true
}
