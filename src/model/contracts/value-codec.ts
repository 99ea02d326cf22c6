import { invalidArgument } from '../../errors/chain-error.js'
import { fixedSizes, type ResolvedField, type ResolvedType, type ScalarKind } from './resolved-type.js'
import { fromHex, isHex, toHex } from '../hex.js'
import { readNumber, writeNumber, writeNumberOfSize } from '../script-number.js'
import type { SignedBy } from './values.js'

type ArrayType = Extract<ResolvedType, { readonly kind: 'array' }>

/**
 * Encodes the fields of a record, a part each: a struct has those of its fields, an array of structs one for each
 * field, with the values of all items. Throws `ChainError` (`invalid-argument`) with the path of the value.
 */
export function encodeFields(
  fields: readonly ResolvedField[],
  value: unknown,
  path: string,
  form: Form,
  sign: SignatureOf,
): readonly Uint8Array[] {
  if (typeof value !== 'object' || value === null) throw invalidArgument(path, `"${path}" is no object`)
  const record: Readonly<Record<string, unknown>> = { ...value }
  const unknown = Object.keys(record).find((name) => !fields.some((field) => field.name === name))
  if (unknown !== undefined) throw invalidArgument(`${path}.${unknown}`, `There is no "${path}.${unknown}"`)
  return fields.flatMap(({ name, type }) => encodeValue(type, record[name], `${path}.${name}`, form, sign))
}

function encodeValue(
  type: ResolvedType,
  value: unknown,
  path: string,
  form: Form,
  sign: SignatureOf,
): readonly Uint8Array[] {
  if (value === undefined) throw invalidArgument(path, `"${path}" is missing`)
  switch (type.kind) {
    case 'fixed_bytes':
      return [encodeBytes(value, path, type.length)]
    case 'struct':
      return encodeFields(type.fields, value, path, form, sign)
    case 'array':
      return encodeArray(type, value, path, sign)
    default:
      return [encodeScalar(type.kind, value, path, form, sign)]
  }
}

function encodeArray(
  { item, length }: ArrayType,
  value: unknown,
  path: string,
  sign: SignatureOf,
): readonly Uint8Array[] {
  if (!Array.isArray(value)) throw invalidArgument(path, `"${path}" is no array`)
  if (length !== undefined && value.length !== length)
    throw invalidArgument(path, `"${path}" has ${value.length} items instead of ${length}`)
  const rows = value.map((each: unknown, index) => encodeValue(item, each, `${path}[${index}]`, 'fixed', sign))
  return (fixedSizes(item) ?? []).map((_, column) => Uint8Array.from(rows.flatMap((row) => [...(row[column] ?? [])])))
}

/** Decodes a record of the fixed form, from parts in the order of `encodeFields`. */
export function decodeFields(
  fields: readonly ResolvedField[],
  next: () => Uint8Array,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(fields.map(({ name, type }) => [name, decodeValue(type, next)]))
}

function decodeValue(type: ResolvedType, next: () => Uint8Array): unknown {
  switch (type.kind) {
    case 'fixed_bytes':
      return decodeScalar('bytes', next())
    case 'struct':
      return decodeFields(type.fields, next)
    case 'array':
      return decodeArray(type, next)
    default:
      return decodeScalar(type.kind, next())
  }
}

function decodeArray({ item, length }: ArrayType, next: () => Uint8Array): readonly unknown[] {
  const columns = (fixedSizes(item) ?? []).map((size) => ({ size, bytes: next() }))
  const [first] = columns
  const count = length ?? (first === undefined ? 0 : Math.floor(first.bytes.length / first.size))
  return Array.from({ length: count }, (_, row) => {
    const parts = columns.map(({ size, bytes }) => bytes.subarray(row * size, (row + 1) * size)).values()
    return decodeValue(item, () => parts.next().value ?? new Uint8Array(0))
  })
}

/** `argument`: the shortest form, as calls push it. `fixed`: always of the same size, in arrays and in the state. */
export type Form = 'argument' | 'fixed'

/** The signature script's signature of the key of an address: 65 bytes, or a placeholder of that length. */
export type SignatureOf = (address: string, path: string) => Uint8Array

const NUMBER_SIZE = 8
const MAX = 2n ** 63n - 1n
const LENGTHS = { pubkey: 32, datasig: 64, sig: 65 } as const

/**
 * Encodes a scalar. Throws `ChainError` (`invalid-argument`) with the path for a value of another type or out of range.
 */
function encodeScalar(kind: ScalarKind, value: unknown, path: string, form: Form, sign: SignatureOf): Uint8Array {
  switch (kind) {
    case 'int':
    case 'temporal':
      return encodeInt(value, path, form)
    case 'bool':
      if (typeof value !== 'boolean') throw invalidArgument(path, `"${path}" is no boolean`)
      return value ? Uint8Array.of(1) : new Uint8Array(form === 'fixed' ? 1 : 0)
    case 'byte':
      return encodeByte(value, path)
    case 'string':
      if (typeof value !== 'string') throw invalidArgument(path, `"${path}" is no text`)
      return new TextEncoder().encode(value)
    case 'bytes':
      return encodeParts(value, path, sign)
    case 'sig':
      return isSignedBy(value) ? sign(value.signedBy, path) : encodeBytes(value, path, LENGTHS.sig)
    default:
      return encodeBytes(value, path, LENGTHS[kind])
  }
}

/** Bytes from hex or an array, of a fixed length where one is given. */
function encodeBytes(value: unknown, path: string, length?: number): Uint8Array {
  const bytes = value instanceof Uint8Array ? value : isHex(value) ? fromHex(value) : undefined
  if (bytes === undefined) throw invalidArgument(path, `"${path}" is neither hex nor a Uint8Array`)
  if (length !== undefined && bytes.length !== length)
    throw invalidArgument(path, `"${path}" has ${bytes.length} bytes instead of ${length}`)
  return bytes
}

/** Decodes a scalar of the fixed form: bytes as hex. */
function decodeScalar(kind: ScalarKind, bytes: Uint8Array): bigint | boolean | number | string {
  switch (kind) {
    case 'int':
    case 'temporal':
      return readNumber(bytes)
    case 'bool':
      return bytes[0] === 1
    case 'byte':
      return bytes[0] ?? 0
    case 'string':
      return new TextDecoder().decode(bytes)
    default:
      return toHex(bytes)
  }
}

function encodeInt(value: unknown, path: string, form: Form): Uint8Array {
  if (typeof value !== 'bigint') throw invalidArgument(path, `"${path}" is no bigint`)
  if (value > MAX || value < -MAX)
    throw invalidArgument(path, `"${path}" is ${value}: an int is from -(2^63 - 1) to 2^63 - 1`)
  return form === 'argument'
    ? writeNumber(value)
    : (writeNumberOfSize(value, NUMBER_SIZE) ?? new Uint8Array(NUMBER_SIZE))
}

function encodeByte(value: unknown, path: string): Uint8Array {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 0 || value > 255)
    throw invalidArgument(path, `"${path}" is no whole number from 0 to 255`)
  return Uint8Array.of(value)
}

function encodeParts(value: unknown, path: string, sign: SignatureOf): Uint8Array {
  if (!Array.isArray(value)) return encodeBytes(value, path)
  const parts = value.map((part: unknown, index) => {
    const at = `${path}[${index}]`
    return isSignedBy(part) ? sign(part.signedBy, at) : encodeBytes(part, at)
  })
  return Uint8Array.from(parts.flatMap((part) => [...part]))
}

function isSignedBy(value: unknown): value is SignedBy {
  return typeof value === 'object' && value !== null && 'signedBy' in value && typeof value.signedBy === 'string'
}
