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
