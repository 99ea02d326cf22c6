import { invalidArgument } from '../../errors/chain-error.js'
import { fromHex, isHex, toHex } from '../hex.js'
import { readNumber, writeNumber, writeNumberOfSize } from '../script-number.js'
import type { ScalarKind } from './resolved-type.js'
import type { SignedBy } from './values.js'

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
export function encodeScalar(
  kind: ScalarKind,
  value: unknown,
  path: string,
  form: Form,
  sign: SignatureOf,
): Uint8Array {
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
export function encodeBytes(value: unknown, path: string, length?: number): Uint8Array {
  const bytes = value instanceof Uint8Array ? value : isHex(value) ? fromHex(value) : undefined
  if (bytes === undefined) throw invalidArgument(path, `"${path}" is neither hex nor a Uint8Array`)
  if (length !== undefined && bytes.length !== length)
    throw invalidArgument(path, `"${path}" has ${bytes.length} bytes instead of ${length}`)
  return bytes
}

/** Decodes a scalar of the fixed form: bytes as hex. */
export function decodeScalar(kind: ScalarKind, bytes: Uint8Array): bigint | boolean | number | string {
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
