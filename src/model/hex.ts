import { invalidArgument } from '../errors/chain-error.js'

const DIGITS: Uint8Array = /*#__PURE__*/ Uint8Array.from('0123456789abcdef', (digit) => digit.charCodeAt(0))

const ASCII = /*#__PURE__*/ new TextDecoder('latin1')

const LOWER_HEX = /^(?:[0-9a-f]{2})*$/

/**
 * Bytes as lower-case hex, without `0x`. Decoded from character codes at once: a string concatenated digit by digit
 * would retain its parts in memory, and ids are held by the hundred thousand.
 */
export function toHex(bytes: Uint8Array): string {
  if (writesHex(bytes)) return bytes.toHex()
  const characters = new Uint8Array(2 * bytes.length)
  let at = 0
  for (const byte of bytes) {
    characters[at++] = DIGITS[byte >> 4] ?? 0
    characters[at++] = DIGITS[byte & 15] ?? 0
  }
  return ASCII.decode(characters)
}

/** Whether the runtime has `Uint8Array.prototype.toHex`, which is several times as fast. */
const writesHex = (bytes: Uint8Array): bytes is Uint8Array & { toHex(): string } => 'toHex' in bytes

/**
 * The bytes of a hex text in either case. Throws `ChainError` (`invalid-argument`), naming `argument`, for anything but
 * whole bytes in hex. The text is never part of the error: it may be a key.
 */
export function fromHex(text: string, argument = 'hex'): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length >> 1)
  writeHex(text, bytes, 0, argument)
  return bytes
}

/** Writes the bytes of a hex text into `bytes` from `start` on, where they must fit. Throws as `fromHex` does. */
export function writeHex(text: string, bytes: Uint8Array, start: number, argument = 'hex'): void {
  if (!decodeHex(text, bytes, start))
    throw invalidArgument(argument, `"${argument}" is not hex`, 'Pairs of the digits 0 to 9 and a to f, without 0x.')
}

/** Whether `text` is lower-case hex of whole bytes, and has `byteLength` bytes if given. */
export function isHex(text: unknown, byteLength?: number): text is string {
  if (typeof text !== 'string') return false
  return (byteLength === undefined || text.length === 2 * byteLength) && LOWER_HEX.test(text)
}

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

/** The character codes of each byte's two lower-case hex digits, in memory order, as one number. */
export const HEX_PAIRS: Uint16Array<ArrayBuffer> = /*#__PURE__*/ toPairs()

function toPairs(): Uint16Array<ArrayBuffer> {
  const codes = Uint8Array.from({ length: 512 }, (_, at) => {
    const digit = at % 2 === 0 ? at >> 5 : (at >> 1) & 15
    return digit + (digit < 10 ? 48 : 87)
  })
  return new Uint16Array(codes.buffer)
}
