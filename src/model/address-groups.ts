/** The characters of an address; each encodes five bits. */
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

const CHECKSUM_LENGTH = 8

/**
 * The checksum's 40-bit generator as a 32-bit low part and an 8-bit high part, for plain integer arithmetic (it runs
 * for every decoded UTXO entry). Entry i is the combination of generators for the five overflowing bits i.
 */
const LOW = /*#__PURE__*/ combine([0xf2bc8e61, 0xb76d99e2, 0x3e5fb3c4, 0x2eabe2a8, 0x4f43e470])
const HIGH = /*#__PURE__*/ combine([0x98, 0x79, 0xf3, 0xae, 0x1e])

/** The values of the characters by their codes; -1 for any other. */
const VALUES = /*#__PURE__*/ Int8Array.from({ length: 128 }, (_, code) => ALPHABET.indexOf(String.fromCharCode(code)))

/** The characters as codes, so that an address is decoded from bytes at once. */
const CODES = /*#__PURE__*/ Uint8Array.from(ALPHABET, (letter) => letter.charCodeAt(0))

const ASCII = /*#__PURE__*/ new TextDecoder()

/** The characters after the prefix: `version`, `payload` (most significant bits first) and checksum. */
export function encodeLetters(prefix: string, version: number, payload: Uint8Array): string {
  const values = splitIntoGroups(version, payload)
  const { high, low } = polymod(prefix, values)
  const start = values.length - CHECKSUM_LENGTH
  for (let at = 0; at < CHECKSUM_LENGTH; at++) values[start + at] = groupAt(high, low, 35 - 5 * at)
  for (let at = 0; at < values.length; at++) values[at] = CODES[values[at] ?? 0] ?? 0
  return ASCII.decode(values)
}

/** Groups of five bits, the last padded with zeros, and space for the checksum. */
function splitIntoGroups(version: number, payload: Uint8Array): Uint8Array {
  const values = new Uint8Array(Math.ceil((8 * (payload.length + 1)) / 5) + CHECKSUM_LENGTH)
  let bits = version
  let count = 8
  let next = 0
  for (let at = 0; at < values.length - CHECKSUM_LENGTH; at++) {
    if (count < 5) {
      bits = ((bits << 8) | (payload[next++] ?? 0)) & 0xfff
      count += 8
    }
    count -= 5
    values[at] = (bits >>> count) & 31
  }
  return values
}

/**
 * The bytes encoded after the prefix, without the checksum; or the problem as text ("is too short", …), to which the
 * caller adds the argument's name.
 */
export function decodeLetters(prefix: string, letters: string): Uint8Array | string {
  const values = new Uint8Array(letters.length)
  for (let at = 0; at < letters.length; at++) {
    const value = VALUES[letters.charCodeAt(at)] ?? -1
    if (value < 0) return `has a character that no address has: "${letters.charAt(at)}"`
    values[at] = value
  }
  if (values.length <= CHECKSUM_LENGTH) return 'is too short'
  const { high, low } = polymod(prefix, values)
  if (high !== 0 || low !== 0) return 'has a wrong checksum'
  return packGroups(values.subarray(0, -CHECKSUM_LENGTH))
}

function packGroups(values: Uint8Array): Uint8Array | string {
  const bytes = new Uint8Array((values.length * 5) >> 3)
  let bits = 0
  let count = 0
  let at = 0
  for (const value of values) {
    bits = ((bits << 5) | value) & 0xfff
    count += 5
    if (count < 8) continue
    count -= 8
    bytes[at++] = (bits >>> count) & 0xff
  }
  return count < 5 && (bits & ((1 << count) - 1)) === 0 ? bytes : 'ends in bits that belong to no byte'
}

/** The CashAddr checksum over prefix, a zero and `values`: zero in both parts if the checksum is valid. */
function polymod(prefix: string, values: Uint8Array): { high: number; low: number } {
  let high = 0
  let low = 1
  const length = prefix.length + 1 + values.length
  for (let at = 0; at < length; at++) {
    const value = at < prefix.length ? prefix.charCodeAt(at) & 31 : (values[at - prefix.length - 1] ?? 0)
    const top = high >>> 3
    high = (((high & 7) << 5) | (low >>> 27)) ^ (HIGH[top] ?? 0)
    low = (low << 5) ^ value ^ (LOW[top] ?? 0)
  }
  return { high, low: low ^ 1 }
}

/** Five bits of a 40-bit number in two parts, `shift` bits from its end. */
function groupAt(high: number, low: number, shift: number): number {
  if (shift >= 32) return (high >>> (shift - 32)) & 31
  return ((low >>> shift) | (shift > 27 ? high << (32 - shift) : 0)) & 31
}

function combine(generators: readonly number[]): readonly number[] {
  return Array.from({ length: 32 }, (_, index) =>
    generators.reduce((sum, generator, bit) => ((index >> bit) & 1 ? sum ^ generator : sum), 0),
  )
}
