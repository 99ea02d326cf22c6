import { ScriptError } from './script-error.js'

const MAX_NUMBER_BYTES = 8

/**
 * Decodes a script number: little-endian magnitude, sign in the highest bit of the last byte. At most 8 bytes, which need not be the
 * shortest form.
 */
export function readNumber(item: Uint8Array): bigint {
  if (item.length > MAX_NUMBER_BYTES)
    throw new ScriptError(
      `Number too big: numeric value encoded as ${formatBytes(item)} is ${item.length} bytes which exceeds the max allowed of 8`,
    )
  const last = item.at(-1) ?? 0
  const magnitude = item.reduceRight(
    (value, byte, index) => value * 256n + BigInt(index === item.length - 1 ? byte & 0x7f : byte),
    0n,
  )
  return last & 0x80 ? -magnitude : magnitude
}

/** The shortest encoding of a number; zero is empty. */
export function writeNumber(value: bigint): Uint8Array<ArrayBuffer> {
  const bytes: number[] = []
  for (let magnitude = value < 0n ? -value : value; magnitude > 0n; magnitude >>= 8n)
    bytes.push(Number(magnitude & 0xffn))
  const last = bytes.at(-1)
  if (last === undefined) return new Uint8Array(0)
  const sign = value < 0n ? 0x80 : 0
  if (last & 0x80) bytes.push(sign)
  else bytes[bytes.length - 1] = last | sign
  return Uint8Array.from(bytes)
}

/** A number in exactly `size` bytes, its sign in the last one. Throws `ScriptError` where it does not fit. */
export function writeNumberOfSize(value: bigint, size: number): Uint8Array<ArrayBuffer> {
  const magnitude = writeNumber(value < 0n ? -value : value)
  if (magnitude.length > size) throw new ScriptError(`Number exceeds ${size} bytes: ${value}`)
  const bytes = new Uint8Array(size)
  bytes.set(magnitude)
  if (value < 0n) bytes[size - 1] = (bytes[size - 1] ?? 0) | 0x80
  return bytes
}

/** Bytes as the node's errors show them: hex digits without leading zeros. */
export const formatBytes = (bytes: Uint8Array): string =>
  `[${Array.from(bytes, (byte) => byte.toString(16)).join(', ')}]`
