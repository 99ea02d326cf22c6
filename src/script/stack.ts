import { writeNumber, readNumber, writeNumberOfSize } from '../model/script-number.js'

/** The most bytes of an element, and of a script. */
export const MAX_ELEMENT_SIZE = 1_000_000

const TRUE = /*#__PURE__*/ Uint8Array.of(1)
const FALSE = /*#__PURE__*/ new Uint8Array(0)
const MAX_NUMBER_BYTES = 8

/**
 * The script stack: byte strings, converted to numbers or booleans as opcodes require. Bytes pushed by opcodes are
 * counted and charged; literals of the script are not, because they are charged as transaction bytes, and neither are
 * moved elements.
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

  /** Pushes without charge. */
  pushLiteral(item: Uint8Array): void {
    assertElementSize(item.length, MAX_ELEMENT_SIZE)
    this.#items.push(item)
  }

  push(item: Uint8Array): void {
    this.pushLiteral(item)
    this.#pushed += item.length
  }

  pushBoolean(value: boolean): void {
    this.push(value ? TRUE : FALSE)
  }

  pushNumber(value: bigint): void {
    const item = writeNumber(value)
    if (item.length > MAX_NUMBER_BYTES) throw new ScriptError(`Number exceeds 8 bytes: ${value}`)
    this.push(item)
  }

  /** Inserts a copy below the `depth` top elements. */
  insert(item: Uint8Array, depth: number): void {
    this.#pushed += item.length
    this.#items.splice(this.size - depth, 0, item)
  }

  pop(): Uint8Array {
    const [item = FALSE] = this.take(1)
    return item
  }

  /** `pop` for the operations whose error of an empty stack the node words differently. */
  popElement(): Uint8Array {
    const item = this.#items.pop()
    if (item === undefined) throw new ScriptError('attempt to read from empty stack')
    return item
  }

  popBoolean(): boolean {
    return isTrue(this.pop())
  }

  popNumber(): bigint {
    return toNumber(this.pop())
  }

  popInt32(): number {
    return toInt32(this.pop())
  }

  /** Removes the top numbers, lowest first. */
  takeNumbers(count: number): bigint[] {
    return this.take(count).map(toNumber)
  }

  takeInt32s(count: number): number[] {
    return this.take(count).map(toInt32)
  }

  popIndex(): number {
    return toIndex(this.popInt32())
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

  /** Moves the bottom `count` of the top `depth` elements to the top, without charge. */
  rotate(depth: number, count: number): void {
    this.#assertSize(depth)
    this.#items.push(...this.#items.splice(this.size - depth, count))
  }

  #assertSize(count: number): void {
    if (this.size < count) throw new ScriptError(`opcode requires at least ${count} but stack has only ${this.size}`)
  }
}

/** True unless all bytes are zero; negative zero (only the sign bit set) is false. */
export function isTrue(item: Uint8Array): boolean {
  return item.some((byte, index) => (index === item.length - 1 ? (byte & 0x7f) !== 0 : byte !== 0))
}

export function assertElementSize(size: number, max: number): void {
  if (size > max) throw new ScriptError(`element size ${size} exceeds max allowed size ${max}`)
}

/** The node limits indices and counts to 32 bits, other numbers to 64. */
function toInt32(item: Uint8Array): number {
  const value = toNumber(item)
  if (BigInt.asIntN(32, value) === value) return Number(value)
  throw new ScriptError('Number too big: out of range integral type conversion attempted')
}

export function toIndex(value: number): number {
  if (value < 0) throw new ScriptError(`${value} cannot be used as an array index`)
  return value
}

const MAX_STACK_NUMBER = 8

/** Decodes a number of the stack. Throws `ScriptError` above 8 bytes. */
function toNumber(item: Uint8Array): bigint {
  if (item.length > MAX_STACK_NUMBER)
    throw new ScriptError(
      `Number too big: numeric value encoded as ${formatBytes(item)} is ${item.length} bytes which exceeds the max allowed of 8`,
    )
  return readNumber(item)
}

/** A number in exactly `size` bytes. Throws `ScriptError` where it does not fit. */
export function toSizedNumber(value: bigint, size: number): Uint8Array {
  const bytes = writeNumberOfSize(value, size)
  if (bytes === undefined) throw new ScriptError(`Number exceeds ${size} bytes: ${value}`)
  return bytes
}

/** Bytes as the node's errors show them: hex digits without leading zeros. */
export const formatBytes = (bytes: Uint8Array): string =>
  `[${Array.from(bytes, (byte) => byte.toString(16)).join(', ')}]`

/** The bytes from `start` up to `end`; the node judges the range before the data. */
export function substring(data: Uint8Array, start: number, end: number): Uint8Array {
  if (end < start) throw new ScriptError(`${start}..${end} is not a valid range, ${end} must be greater than ${start}`)
  assertElementSize(end - start, MAX_ELEMENT_SIZE)
  if (end > data.length)
    throw new ScriptError(`substring [${start}:${end}] is out of bounds for string of length ${data.length}`)
  return data.subarray(start, end)
}

/** A failed script, with the node's message. Caught in `script/` and returned as a `ScriptFailure`. */
export class ScriptError extends Error {}

/** An operation that the node refuses in a state that has no error of its own. */
export const invalidState = (reason: string): ScriptError =>
  new ScriptError(`encountered invalid state while running script: ${reason}`)
