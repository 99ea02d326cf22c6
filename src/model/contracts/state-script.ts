import { blake3 } from '@noble/hashes/blake3.js'
import { ByteWriter } from '../bytes.js'
import { toHex } from '../hex.js'
import type { ResolvedField } from './resolved-type.js'
import { invalidArgument, ChainError } from '../../errors/chain-error.js'
import { decodeFields, encodeFields } from './value-codec.js'

/** A program: what surrounds the state in its redeem scripts. */
export interface Template {
  readonly prefix: Uint8Array
  readonly suffix: Uint8Array
}

/**
 * The hash that names a program, hex: BLAKE3 of both parts with their lengths. Constructor arguments are in them, the
 * state is not.
 */
export function templateHash({ prefix, suffix }: Template): string {
  const writer = new ByteWriter(prefix.length + suffix.length + 16)
  writer.u64(prefix.length).bytes(prefix).u64(suffix.length).bytes(suffix)
  return toHex(blake3(writer.written()))
}

/** The bytes between prefix and suffix; undefined for a script of another program. */
export function stateBytesOf({ prefix, suffix }: Template, script: Uint8Array): Uint8Array | undefined {
  const end = script.length - suffix.length
  if (end < prefix.length) return undefined
  const isOurs = equals(script.subarray(0, prefix.length), prefix) && equals(script.subarray(end), suffix)
  return isOurs ? script.subarray(prefix.length, end) : undefined
}

const equals = (left: Uint8Array, right: Uint8Array): boolean => left.every((byte, index) => byte === right[index])

/**
 * The part of a redeem script that holds a state. Throws `ChainError` (`invalid-argument`) with the path of a value.
 */
export function encodeState(fields: readonly ResolvedField[], state: unknown, path = 'state'): Uint8Array<ArrayBuffer> {
  const script: number[] = []
  const sign = (_: string, at: string): never => {
    throw invalidArgument(at, `"${at}" is a signature that is not made yet: a state holds none`)
  }
  for (const part of encodeFields(fields, state, path, 'fixed', sign)) pushExplicit(script, part)
  return Uint8Array.from(script)
}

/** The state in these bytes; undefined where they are not its one encoding. */
export function decodeState(
  fields: readonly ResolvedField[],
  bytes: Uint8Array,
): Readonly<Record<string, unknown>> | undefined {
  const parts = readParts(bytes)
  if (parts === undefined) return undefined
  const remaining = parts.values()
  const state = decodeFields(fields, () => remaining.next().value ?? new Uint8Array(0))
  return isEncoding(bytes, () => encodeState(fields, state)) ? state : undefined
}

function readParts(bytes: Uint8Array): readonly Uint8Array[] | undefined {
  const parts: Uint8Array[] = []
  for (let at = 0; at < bytes.length;) {
    const push = readPush(bytes, at)
    if (push === undefined) return undefined
    parts.push(push.data)
    at = push.end
  }
  return parts
}

/**
 * Pushes of data: arguments by the shortest opcode, the state by one that carries its bytes, so that its length stays
 * the same.
 */

const MAX_DIRECT = 0x4b

/** Appends a push of `data` to `script`. */
export function pushExplicit(script: number[], data: Uint8Array): void {
  const { length } = data
  if (length > 0xffff) script.push(0x4e, length & 0xff, (length >> 8) & 0xff, (length >> 16) & 0xff, length >>> 24)
  else if (length > 0xff) script.push(0x4d, length & 0xff, length >> 8)
  else if (length > MAX_DIRECT) script.push(0x4c, length)
  else script.push(length)
  for (const byte of data) script.push(byte)
}

/** The same by the shortest opcode: one byte for empty data and for the numbers from -1 to 16. */
export function pushMinimal(script: number[], data: Uint8Array): void {
  const [byte = 0] = data
  const isSmall = data.length === 1 && byte >= 1 && byte <= 16
  if (isSmall) script.push(0x50 + byte)
  else if (data.length === 1 && byte === 0x81) script.push(0x4f)
  else pushExplicit(script, data)
}

/** The data of the explicit push at an offset and where it ends; undefined where there is none. */
export function readPush(
  script: Uint8Array,
  start: number,
): { readonly data: Uint8Array; readonly end: number } | undefined {
  const opcode = script[start]
  if (opcode === undefined || opcode > 0x4e) return undefined
  const lengthBytes = opcode <= MAX_DIRECT ? 0 : 2 ** (opcode - 0x4c)
  const from = start + 1 + lengthBytes
  const length =
    lengthBytes === 0 ? opcode : script.subarray(start + 1, from).reduceRight((sum, byte) => sum * 256 + byte, 0)
  const end = from + length
  return end > script.length ? undefined : { data: script.subarray(from, end), end }
}

/**
 * Whether bytes are the one encoding of what was decoded from them: what was read from parts of other sizes has another
 * one, or none.
 */
export function isEncoding(bytes: Uint8Array, encode: () => Uint8Array): boolean {
  try {
    const encoded = encode()
    return encoded.length === bytes.length && encoded.every((byte, index) => byte === bytes[index])
  } catch (error) {
    if (error instanceof ChainError && error.code === 'invalid-argument') return false
    throw error
  }
}
