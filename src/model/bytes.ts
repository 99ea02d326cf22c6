import { fromHex } from './hex.js'

/**
 * Bytes written one after the other, integers little-endian: the form that everything on this network is hashed in.
 * Each method returns the writer, so that a record reads like the layout it has.
 */
export class ByteWriter {
  #bytes: Uint8Array<ArrayBuffer>
  #view: DataView
  #length = 0

  constructor(expectedLength = 256) {
    this.#bytes = new Uint8Array(expectedLength)
    this.#view = new DataView(this.#bytes.buffer)
  }

  u8(value: number): this {
    const at = this.#claim(1)
    this.#view.setUint8(at, value)
    return this
  }

  u16(value: number): this {
    const at = this.#claim(2)
    this.#view.setUint16(at, value, true)
    return this
  }

  u32(value: number): this {
    const at = this.#claim(4)
    this.#view.setUint32(at, value, true)
    return this
  }

  u64(value: bigint | number): this {
    const at = this.#claim(8)
    this.#view.setBigUint64(at, BigInt(value), true)
    return this
  }

  bytes(value: Uint8Array): this {
    const at = this.#claim(value.length)
    this.#bytes.set(value, at)
    return this
  }

  /** The bytes that a hex text spells, without a length in front. */
  hex(value: string): this {
    return this.bytes(fromHex(value))
  }

  /** The same with its length in front, as a u64. */
  hexWithLength(value: string): this {
    return this.u64(value.length / 2).hex(value)
  }

  /** How many bytes were written so far. */
  get length(): number {
    return this.#length
  }

  /** Puts a u32 where four bytes were written before: a length, known only when what it counts stands behind it. */
  overwriteU32(at: number, value: number): this {
    this.#view.setUint32(at, value, true)
    return this
  }

  /** Begins anew, on the room that it has. What `written` gave before is written over. */
  restart(): this {
    this.#length = 0
    return this
  }

  /** What was written so far. The writer may go on; the returned bytes stay as they are until it does. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  /** The same, copied: it stays as it is whatever the writer does. */
  copied(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  /** Makes room for `size` more bytes and says where they begin. May put bytes and view elsewhere: claim first, then look. */
  #claim(size: number): number {
    const start = this.#length
    this.#length += size
    if (this.#length > this.#bytes.length) this.#grow()
    return start
  }

  #grow(): void {
    const larger = new Uint8Array(2 * this.#length)
    larger.set(this.#bytes)
    this.#bytes = larger
    this.#view = new DataView(larger.buffer)
  }
}
