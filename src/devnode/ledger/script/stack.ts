import { ScriptError } from './script-error.js'

const TRUE = /*#__PURE__*/ Uint8Array.of(1)
const FALSE = /*#__PURE__*/ new Uint8Array(0)
const MAX_NUMBER_BYTES = 8

/**
 * The script stack: byte strings, converted to numbers or booleans as opcodes require. Bytes pushed by opcodes are counted and
 * charged; literals of the script are not, because they are charged as transaction bytes.
 */
export class Stack {
  #items: Uint8Array[]
  #pushed = 0

  constructor(items: readonly Uint8Array[] = []) {
    this.#items = [...items]
  }

  get size(): number {
    return this.#items.length
  }

  items(): readonly Uint8Array[] {
    return this.#items
  }

  /** The number of bytes pushed since the last call. */
  takePushedBytes(): number {
    const pushed = this.#pushed
    this.#pushed = 0
    return pushed
  }

  pushLiteral(item: Uint8Array): void {
    this.#items.push(item)
  }

  push(item: Uint8Array): void {
    this.#pushed += item.length
    this.#items.push(item)
  }

  pushBoolean(value: boolean): void {
    this.push(value ? TRUE : FALSE)
  }

  pushNumber(value: bigint): void {
    this.push(writeNumber(value))
  }

  pop(): Uint8Array {
    const [item = FALSE] = this.take(1)
    return item
  }

  popBoolean(): boolean {
    return isTrue(this.pop())
  }

  popNumber(): bigint {
    return readNumber(this.pop())
  }

  /** Removes and returns the top items, lowest first. */
  take(count: number): Uint8Array[] {
    this.#assertSize(count)
    return this.#items.splice(this.size - count, count)
  }

  /** The top items, lowest first, without removal. */
  peek(count: number): readonly Uint8Array[] {
    this.#assertSize(count)
    return this.#items.slice(this.size - count)
  }

  #assertSize(count: number): void {
    if (this.size < count)
      throw new ScriptError(`opcode requires at least ${String(count)} but stack has only ${String(this.size)}`)
  }
}

/** True unless all bytes are zero; negative zero (only the sign bit set) is false. */
export function isTrue(item: Uint8Array): boolean {
  return item.some((byte, index) => (index === item.length - 1 ? (byte & 0x7f) !== 0 : byte !== 0))
}

/** Decodes a script number: little-endian magnitude, sign in the highest bit of the last byte. */
export function readNumber(item: Uint8Array): bigint {
  if (item.length > MAX_NUMBER_BYTES) {
    const bytes = [...item].map((byte) => byte.toString(16)).join(', ')
    throw new ScriptError(
      `Number too big: numeric value encoded as [${bytes}] is ${String(item.length)} bytes which exceeds the max allowed of 8`,
    )
  }
  const last = item.at(-1) ?? 0
  const magnitude = item.reduceRight(
    (value, byte, index) => value * 256n + BigInt(index === item.length - 1 ? byte & 0x7f : byte),
    0n,
  )
  return last & 0x80 ? -magnitude : magnitude
}

export function writeNumber(value: bigint): Uint8Array {
  const bytes: number[] = []
  for (let magnitude = value < 0n ? -value : value; magnitude > 0n; magnitude >>= 8n)
    bytes.push(Number(magnitude & 0xffn))
  const last = bytes.at(-1)
  if (last === undefined) return FALSE
  const sign = value < 0n ? 0x80 : 0
  if (last & 0x80) bytes.push(sign)
  else bytes[bytes.length - 1] = last | sign
  return Uint8Array.from(bytes)
}
