import { invalidPskb } from '../../errors/cosigning-errors.js'
import { appendStep, type JsonObject, type JsonValue } from './strict-json.js'

/** Reads a value at a JSON path. Throws `InvalidPskbError`. */
export type Read<Value> = (value: JsonValue, at: string) => Value

/** The members of an object, by name. Each is read once; the others are unknown. */
export class Members {
  readonly #members: JsonObject
  readonly #at: string
  /** The names that were read; those of absent members too. */
  readonly #known: string[] = []
  #found = 0

  constructor(value: JsonValue, at: string) {
    this.#members = readObject(value, at)
    this.#at = at
  }

  /** A member that must be there. */
  get<Value>(name: string, read: Read<Value>): Value {
    const value = this.#find(name)
    if (value === undefined) throw invalidPskb('missing', this.#step(name))
    return read(value, this.#step(name))
  }

  /** A member that may be absent or null. */
  optional<Value>(name: string, read: Read<Value>): Value | null {
    const value = this.#find(name) ?? null
    return value === null ? null : read(value, this.#step(name))
  }

  /** The members that were not read. One whose name differs from a known one by case or `_` only is refused. */
  unknowns(): JsonObject {
    if (this.#found === this.#members.size) return NONE
    const unknown = [...this.#members].filter(([name]) => !this.#known.includes(name))
    const spellings = new Set(this.#known.map(toSpelling))
    for (const [name] of unknown)
      if (spellings.has(toSpelling(name))) throw invalidPskb('name', appendStep(this.#at, name))
    return new Map(unknown)
  }

  #find(name: string): JsonValue | undefined {
    const value = this.#members.get(name)
    this.#known.push(name)
    if (value !== undefined) this.#found += 1
    return value
  }

  /** As `appendStep`, for the names that are read: they are no others than letters. */
  #step(name: string): string {
    return `${this.#at}.${name}`
  }
}

/** Shared by all records without other members. */
const NONE: JsonObject = new Map()

const toSpelling = (name: string): string => name.replaceAll('_', '').toLowerCase()

/** Reads an object. */
export const readObject: Read<JsonObject> = (value, at) => {
  if (value instanceof Map) return value
  throw invalidPskb('type', at)
}

/** Reads an array of at most `most` items. */
export function readArray<Item>(value: JsonValue, at: string, most: number, read: Read<Item>): readonly Item[] {
  if (!Array.isArray(value)) throw invalidPskb('type', at)
  const items: readonly JsonValue[] = value
  if (items.length > most) throw invalidPskb('count', at)
  return items.map((item, index) => read(item, `${at}[${index}]`))
}

export const nullable =
  <Value>(read: Read<Value>): Read<Value | null> =>
  (value, at) =>
    value === null ? null : read(value, at)

/** Reads an integer of `bits` bits. */
export const readUint =
  (bits: number): Read<bigint> =>
  (value, at) => {
    if (typeof value !== 'bigint') throw invalidPskb('type', at)
    if (value >> BigInt(bits) !== 0n) throw invalidPskb('number', at)
    return value
  }

/** The same as a number: at most 32 bits. */
export const readSmallUint = (bits: 8 | 16 | 32): Read<number> => {
  const read = readUint(bits)
  return (value, at) => Number(read(value, at))
}

export const readBoolean: Read<boolean> = (value, at) => {
  if (typeof value !== 'boolean') throw invalidPskb('type', at)
  return value
}

/** Reads hex of whole bytes in either case, of `byteLength` bytes where it is given. Returns it in lower case. */
export const readHex =
  (byteLength?: number): Read<string> =>
  (value, at) => {
    if (typeof value !== 'string') throw invalidPskb('type', at)
    if (byteLength !== undefined && value.length !== 2 * byteLength) throw invalidPskb('hex', at)
    const lower = value.toLowerCase()
    if (lower.length % 2 !== 0 || !HEX.test(lower)) throw invalidPskb('hex', at)
    return lower
  }

const HEX = /^[0-9a-f]*$/
