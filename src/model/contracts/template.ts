import { blake3 } from '@noble/hashes/blake3.js'
import { ByteWriter } from '../bytes.js'
import { toHex } from '../hex.js'

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
