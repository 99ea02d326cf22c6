import { MalformedFrame } from '../wire-errors.js'
import { HEX_PAIRS } from '../../model/hex.js'

/**
 * A read position in a frame, bounded by the current box or the frame. Reading beyond the bound throws
 * `MalformedFrame`. All numbers are little-endian.
 */
export class Cursor {
  readonly bytes: Uint8Array
  readonly view: DataView
  at = 0
  /** The end of the current box. */
  end: number
  readonly #hexText: HexText

  constructor(bytes: Uint8Array, hexText: HexText) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.end = bytes.length
    this.#hexText = hexText
  }

  /** Skips `length` bytes and returns their start. */
  take(length: number): number {
    const start = this.at
    if (length > this.end - start) {
      throw new MalformedFrame(`Expected ${length} bytes at ${start}, ${this.end - start} left`)
    }
    this.at = start + length
    return start
  }

  u8(): number {
    return this.view.getUint8(this.take(1))
  }

  u16(): number {
    return this.view.getUint16(this.take(2), true)
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true)
  }

  u64(): bigint {
    return this.view.getBigUint64(this.take(8), true)
  }

  /** A byte that is 0 or 1. */
  bool(): boolean {
    const byte = this.u8()
    if (byte > 1) throw new MalformedFrame(`${byte} at ${this.at - 1} is no boolean`)
    return byte === 1
  }

  /** A view of `length` bytes, not a copy. */
  slice(length: number): Uint8Array {
    const start = this.take(length)
    return this.bytes.subarray(start, start + length)
  }

  hex(length: number): string {
    return this.#hexText(this.bytes, this.take(length), length)
  }

  /** The length of a list whose items take at least `size` bytes. Throws if the frame cannot contain as many. */
  count(size: number): number {
    const count = this.u32()
    if (count * size > this.end - this.at) {
      throw new MalformedFrame(`${count} items do not fit at ${this.at}`)
    }
    return count
  }

  /** Enters a length-prefixed box; pass the result to `leave`. */
  enter(): number {
    const outerEnd = this.end
    const length = this.u32()
    const start = this.take(length)
    this.at = start
    this.end = start + length
    return outerEnd
  }

  /** Leaves a box, skipping fields appended by newer writers. */
  leave(outerEnd: number): void {
    this.at = this.end
    this.end = outerEnd
  }
}

/** Encodes bytes of a frame as lower-case hex. */
export type HexText = (bytes: Uint8Array, start: number, length: number) => string

/** Most hashes and scripts have at most this many bytes. */
const SHORT = 64

/** Creates a `HexText`. */
export const createHexText = (): HexText => engineHexText() ?? tableHexText()

interface WritesHex {
  toHex(): string
}

const writesHex = <Bytes extends Uint8Array>(bytes: Bytes): bytes is Bytes & WritesHex => 'toHex' in bytes

/** Uses the engine's `toHex` if it exists: three times as fast in Chromium. Copies, which cost less than views. */
function engineHexText(): HexText | undefined {
  const copies = Array.from({ length: SHORT + 1 }, (_, length) => new Uint8Array(length)).filter(writesHex)
  if (copies.length === 0) return undefined
  const longText = tableHexText()
  return (bytes, start, length) => {
    const copy = copies[length]
    if (copy === undefined) return longText(bytes, start, length)
    for (let at = 0; at < length; at++) copy[at] = bytes[start + at] ?? 0
    return copy.toHex()
  }
}

/**
 * Writes the digits into memory and decodes them at once. Concatenating pairs builds a rope, which costs three times as
 * much, and as much again when it is first used as a key.
 */
function tableHexText(): HexText {
  const decoder = new TextDecoder()
  const scratch = new Uint16Array(SHORT)
  const views = Array.from({ length: SHORT + 1 }, (_, length) => new Uint8Array(scratch.buffer, 0, 2 * length))
  return (bytes, start, length) => {
    const digits = length > SHORT ? new Uint16Array(length) : scratch
    for (let at = 0; at < length; at++) digits[at] = HEX_PAIRS[bytes[start + at] ?? 0] ?? 0
    return decoder.decode(views[length] ?? digits)
  }
}
