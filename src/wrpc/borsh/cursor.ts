import { MalformedFrame } from '../malformed.js'
import type { HexText } from './hex-text.js'

/**
 * A place in a frame that moves as values are read, and never beyond the part that is being read: a box, or the frame.
 * What would reach beyond throws `MalformedFrame`. All numbers are little-endian.
 */
export class Cursor {
  readonly bytes: Uint8Array
  readonly view: DataView
  at = 0
  /** Where the part that is being read ends. */
  end: number
  readonly #hexText: HexText

  constructor(bytes: Uint8Array, hexText: HexText) {
    this.bytes = bytes
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.end = bytes.length
    this.#hexText = hexText
  }

  /** Steps over `length` bytes and says where they begin. */
  take(length: number): number {
    const start = this.at
    if (length > this.end - start) {
      throw new MalformedFrame(`${length} bytes wanted at ${start}, ${this.end - start} left`)
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
    if (byte > 1) throw new MalformedFrame(`${byte} at ${this.at - 1} is neither true nor false`)
    return byte === 1
  }

  /** `length` bytes as they stand in the frame: a view, not a copy. */
  slice(length: number): Uint8Array {
    const start = this.take(length)
    return this.bytes.subarray(start, start + length)
  }

  hex(length: number): string {
    return this.#hexText(this.bytes, this.take(length), length)
  }

  /** A number of items that can still follow, if each takes `size` bytes or more: no list is made longer than its frame. */
  count(size: number): number {
    const count = this.u32()
    if (count * size > this.end - this.at) {
      throw new MalformedFrame(`${count} items cannot follow at ${this.at}`)
    }
    return count
  }

  /** Opens a part with its length in front; `leave` it with what this returns. */
  enter(): number {
    const outerEnd = this.end
    const length = this.u32()
    const start = this.take(length)
    this.at = start
    this.end = start + length
    return outerEnd
  }

  /** Leaves a part, stepping over what a younger writer may have appended to it. */
  leave(outerEnd: number): void {
    this.at = this.end
    this.end = outerEnd
  }
}
