/** The character codes of each byte's two lower-case hex digits, in memory order, as one number. */
export const HEX_PAIRS: Uint16Array<ArrayBuffer> = /*#__PURE__*/ toPairs()

function toPairs(): Uint16Array<ArrayBuffer> {
  const codes = Uint8Array.from({ length: 512 }, (_, at) => {
    const digit = at % 2 === 0 ? at >> 5 : (at >> 1) & 15
    return digit + (digit < 10 ? 48 : 87)
  })
  return new Uint16Array(codes.buffer)
}
