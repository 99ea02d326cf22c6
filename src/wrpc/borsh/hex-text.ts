/** Each byte as the character codes of its two digits, in the order in which memory holds them. */
const DIGITS = /*#__PURE__*/ Uint8Array.from({ length: 512 }, (_, at) => {
  const digit = at % 2 === 0 ? at >> 5 : (at >> 1) & 15
  return digit + (digit < 10 ? 48 : 87)
})

/** Turns bytes of a frame into lower-case hex. */
export type HexText = (bytes: Uint8Array, start: number, length: number) => string

/** Nearly everything in a frame is a hash or a script of at most this many bytes. */
const SHORT = 64

/**
 * Makes a `HexText`. Digits are laid out in memory and turned into text in one go: a text joined from pairs is a tree that
 * costs three times as much to build, and again as much the first time that it is looked up.
 */
export function createHexText(): HexText {
  const decoder = new TextDecoder()
  const scratch = new Uint8Array(2 * SHORT)
  const views = Array.from({ length: SHORT + 1 }, (_, length) => scratch.subarray(0, 2 * length))
  return (bytes, start, length) => {
    const digits = views[length] ?? new Uint8Array(2 * length)
    for (let at = 0; at < length; at++) {
      const byte = bytes[start + at] ?? 0
      digits[2 * at] = DIGITS[2 * byte] ?? 0
      digits[2 * at + 1] = DIGITS[2 * byte + 1] ?? 0
    }
    return decoder.decode(digits)
  }
}
