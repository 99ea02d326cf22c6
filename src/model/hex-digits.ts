/** The values of hex digits in either case by character code; -1 for other characters. */
const NIBBLES: Int8Array = /*#__PURE__*/ Int8Array.from({ length: 128 }, (_, code) => {
  const value = parseInt(String.fromCharCode(code), 16)
  return Number.isNaN(value) ? -1 : value
})

/**
 * Writes the bytes of a hex text in either case into `bytes` from `start` on, where they must fit. Returns whether the
 * text is whole bytes in hex; where it is not, what was written is meaningless.
 */
export function decodeHex(text: string, bytes: Uint8Array, start: number): boolean {
  let seen = text.length % 2 === 0 ? 0 : -1
  for (let digit = 0, at = start; digit + 1 < text.length; digit += 2) {
    const byte = (toNibble(text.charCodeAt(digit)) << 4) | toNibble(text.charCodeAt(digit + 1))
    seen |= byte
    bytes[at++] = byte
  }
  return seen >= 0
}

/** The value of a hex digit by its character code; -1 otherwise, which stays negative after shifting and OR. */
const toNibble = (code: number): number => NIBBLES[code] ?? -1
