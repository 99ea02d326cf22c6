/** The reversed polynomial of CRC-32 (IEEE 802.3). */
const POLYNOMIAL = 0xedb88320

/** CRC-32 as in zip and PNG, unsigned: detects damage, not forgery. Bitwise, for texts of some thousand bytes. */
export function crc32(bytes: Uint8Array): number {
  let remainder = ~0
  for (const byte of bytes) {
    remainder ^= byte
    for (let bit = 0; bit < 8; bit++) remainder = (remainder >>> 1) ^ (remainder & 1 ? POLYNOMIAL : 0)
  }
  return ~remainder >>> 0
}
