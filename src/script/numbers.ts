import { readNumber, writeNumberOfSize } from '../model/script-number.js'
import { ScriptError } from './script-error.js'

const MAX_NUMBER_BYTES = 8

/** Decodes a number of the stack. Throws `ScriptError` above 8 bytes. */
export function toNumber(item: Uint8Array): bigint {
  if (item.length > MAX_NUMBER_BYTES)
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
