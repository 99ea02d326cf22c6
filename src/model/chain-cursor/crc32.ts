/** The reversed polynomial of CRC-32 (IEEE 802.3). */
const POLYNOMIAL = 0xedb88320

/** The remainders of single bytes. */
const REMAINDERS = /*#__PURE__*/ Int32Array.from({ length: 256 }, (_, byte) => {
  let remainder = byte
  for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0)
  return remainder
})

/** CRC-32 as in zip and PNG, unsigned: detects damage, not forgery. */
export function crc32(bytes: Uint8Array): number {
  let remainder = ~0
  for (const byte of bytes) remainder = (remainder >>> 8) ^ (REMAINDERS[(remainder ^ byte) & 255] ?? 0)
  return ~remainder >>> 0
}
