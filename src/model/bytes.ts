import { writeHex } from './hex.js'

/**
 * Writes bytes sequentially, integers little-endian, as Kaspa hashes them. Methods are chainable.
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
    this.#view.setBigUint64(at, typeof value === 'bigint' ? value : BigInt(value), true)
    return this
  }

  bytes(value: Uint8Array): this {
    const at = this.#claim(value.length)
    this.#bytes.set(value, at)
    return this
  }

  /** The bytes of a hex text, without a length prefix. */
  hex(value: string): this {
    const at = this.#claim(value.length >> 1)
    writeHex(value, this.#bytes, at)
    return this
  }

  /** The bytes of a hex text with a u64 length prefix. */
  hexWithLength(value: string): this {
    return this.u64(value.length / 2).hex(value)
  }

  /** Number of bytes written. */
  get length(): number {
    return this.#length
  }

  /** Overwrites four bytes with a u32, for length prefixes that are known only afterwards. */
  overwriteU32(at: number, value: number): this {
    this.#view.setUint32(at, value, true)
    return this
  }

  /** Resets the length and reuses the buffer; bytes returned by `written` are overwritten. */
  restart(): this {
    this.#length = 0
    return this
  }

  /** A view of the written bytes, valid until the next write. */
  written(): Uint8Array<ArrayBuffer> {
    return this.#bytes.subarray(0, this.#length)
  }

  /** A copy of the written bytes. */
  copied(): Uint8Array<ArrayBuffer> {
    return this.#bytes.slice(0, this.#length)
  }

  /** Reserves `size` bytes and returns their offset. May replace `#bytes` and `#view`: call it before reading them. */
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
