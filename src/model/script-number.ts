/**
 * The shortest encoding of a script number: little-endian magnitude, sign in the highest bit of the last byte. Zero is
 * empty.
 */
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

/** A script number in exactly `size` bytes, its sign in the last one; undefined where it does not fit. */
export function writeNumberOfSize(value: bigint, size: number): Uint8Array<ArrayBuffer> | undefined {
  const magnitude = writeNumber(value < 0n ? -value : value)
  if (magnitude.length > size) return undefined
  const bytes = new Uint8Array(size)
  bytes.set(magnitude)
  if (value < 0n) bytes[size - 1] = (bytes[size - 1] ?? 0) | 0x80
  return bytes
}

/** The script number in `bytes`, of any length; it need not be the shortest form. */
export function readNumber(bytes: Uint8Array): bigint {
  const last = bytes.at(-1) ?? 0
  const magnitude = bytes.reduceRight(
    (value, byte, index) => value * 256n + BigInt(index === bytes.length - 1 ? byte & 0x7f : byte),
    0n,
  )
  return last & 0x80 ? -magnitude : magnitude
}
