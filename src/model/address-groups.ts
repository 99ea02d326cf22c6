/** The letters of an address; each stands for five bits. */
const ALPHABET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'

const CHECKSUM_LENGTH = 8

/**
 * The checksum's generator, 40 bits wide: a 32-bit half and the 8 bits above it, so that plain integer arithmetic will do
 * (this runs once for every UTXO entry that is decoded). Entry i is what the five bits i, pushed out on top, come back as.
 */
const LOW = /*#__PURE__*/ combine([0xf2bc8e61, 0xb76d99e2, 0x3e5fb3c4, 0x2eabe2a8, 0x4f43e470])
const HIGH = /*#__PURE__*/ combine([0x98, 0x79, 0xf3, 0xae, 0x1e])

/** The letters for `version` and `payload`, most significant bits first, the last one padded with zeros. */
export function splitIntoGroups(version: number, payload: Uint8Array): string {
  let text = ''
  let bits = version
  let count = 8
  for (const byte of payload) {
    for (; count >= 5; count -= 5) text += ALPHABET.charAt((bits >>> (count - 5)) & 31)
    bits = (bits << 8) | byte
    count += 8
  }
  for (; count >= 5; count -= 5) text += ALPHABET.charAt((bits >>> (count - 5)) & 31)
  return count === 0 ? text : text + ALPHABET.charAt((bits << (5 - count)) & 31)
}

/** The eight letters that end the address of `prefix` and `groups`. */
export function toChecksum(prefix: string, groups: string): string {
  const { high, low } = polymod(prefix, groups, [0, 0, 0, 0, 0, 0, 0, 0])
  let text = ''
  for (let shift = 35; shift >= 0; shift -= 5) text += ALPHABET.charAt(groupAt(high, low, shift))
  return text
}

/**
 * The bytes behind the letters that follow a prefix, checksum taken off; or, as text, what is wrong with them
 * ("is too short", …): the caller knows what to call them.
 */
export function joinGroups(prefix: string, letters: string): Uint8Array | string {
  const values = new Uint8Array(letters.length)
  for (let at = 0; at < letters.length; at++) {
    const value = ALPHABET.indexOf(letters.charAt(at))
    if (value < 0) return `has a character that no address has: "${letters.charAt(at)}"`
    values[at] = value
  }
  if (values.length <= CHECKSUM_LENGTH) return 'is too short'
  const { high, low } = polymod(prefix, '', values)
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

/** The CashAddr checksum over prefix, a zero, `letters` and `values`: zero in both halves where the checksum is right. */
function polymod(prefix: string, letters: string, values: Iterable<number>): { high: number; low: number } {
  let high = 0
  let low = 1
  const push = (value: number): void => {
    const top = high >>> 3
    high = (((high & 7) << 5) | (low >>> 27)) ^ (HIGH[top] ?? 0)
    low = (low << 5) ^ value ^ (LOW[top] ?? 0)
  }
  for (let at = 0; at < prefix.length; at++) push(prefix.charCodeAt(at) & 31)
  push(0)
  for (const letter of letters) push(ALPHABET.indexOf(letter))
  for (const value of values) push(value)
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
