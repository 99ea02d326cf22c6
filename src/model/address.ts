import { ChainError, invalidArgument } from '../errors/chain-error.js'
import { fromHex, toHex } from './hex.js'
import { NETWORKS, isAddressPrefix, isChainNetwork, type AddressPrefix, type ChainNetwork } from './network.js'
import type { ScriptPublicKey } from './utxo.js'

/** Kinds of addresses: Schnorr public key, ECDSA public key, script hash. */
export type AddressVersion = 'PubKey' | 'PubKeyECDSA' | 'ScriptHash'

/** The parts of an address. `payload` is a 32-byte x-only key, a 33-byte compressed key, or a 32-byte script hash. */
interface DecodedAddress {
  readonly prefix: AddressPrefix
  readonly version: AddressVersion
  readonly payload: Uint8Array
}

/** Version byte and locking script of each kind of address. */
const FORMS = {
  PubKey: { byte: 0, payloadLength: 32, opening: '20', closing: 'ac' },
  PubKeyECDSA: { byte: 1, payloadLength: 33, opening: '21', closing: 'ab' },
  ScriptHash: { byte: 8, payloadLength: 32, opening: 'aa20', closing: '87' },
} as const satisfies Record<AddressVersion, object>

const VERSIONS: readonly AddressVersion[] = ['PubKey', 'PubKeyECDSA', 'ScriptHash']

const HINT =
  'An address is a prefix such as "kaspa", a colon, and lower-case letters and digits that end in a checksum.'

/**
 * Decodes an address and verifies its checksum.
 * Throws `ChainError` (`invalid-argument`) that names `argument` and says what is wrong with it.
 */
export function decodeAddress(text: string, argument = 'address'): DecodedAddress {
  const colon = text.indexOf(':')
  const prefix = text.slice(0, Math.max(colon, 0))
  if (!isAddressPrefix(prefix)) throw malformed(argument, 'has no prefix of a known network')
  const bytes = decodeLetters(prefix, text.slice(colon + 1))
  if (typeof bytes === 'string') throw malformed(argument, bytes)
  const version = VERSIONS.find((candidate) => FORMS[candidate].byte === bytes[0])
  if (version === undefined) throw malformed(argument, `is of an unknown kind (${String(bytes[0])})`)
  if (bytes.length - 1 !== FORMS[version].payloadLength) throw malformed(argument, 'has the wrong length')
  return { prefix, version, payload: bytes.subarray(1) }
}

/** Encodes an address. Throws `ChainError` (`invalid-argument`) if the payload's length does not match the version. */
export function encodeAddress(prefix: AddressPrefix, version: AddressVersion, payload: Uint8Array): string {
  const form = FORMS[version]
  if (payload.length !== form.payloadLength) {
    throw invalidArgument(
      'payload',
      `A ${version} address holds ${String(form.payloadLength)} bytes, not ${String(payload.length)}`,
    )
  }
  return `${prefix}:${encodeLetters(prefix, form.byte, payload)}`
}

/** Whether `text` is an address, of `network` if given. Never throws. */
export function isValidAddress(text: unknown, network?: ChainNetwork): text is string {
  if (typeof text !== 'string') return false
  try {
    const { prefix } = decodeAddress(text)
    return network === undefined || (isChainNetwork(network) && NETWORKS[network].addressPrefix === prefix)
  } catch (error) {
    if (error instanceof ChainError) return false
    throw error
  }
}

/**
 * Whether an address, which was checked before, is that of a public key: its first letter holds the upper bits of the
 * version.
 */
export const isKeyAddress = (address: string): boolean => address.charAt(address.indexOf(':') + 1) === 'q'

/** The locking script that pays to `address`. Throws as `decodeAddress` does. */
export const toScriptPublicKey = (address: string, argument?: string): ScriptPublicKey =>
  toAddressScript(decodeAddress(address, argument))

/** The same of an address that is decoded. */
export function toAddressScript({ version, payload }: Pick<DecodedAddress, 'version' | 'payload'>): ScriptPublicKey {
  const { opening, closing } = FORMS[version]
  return { version: 0, script: opening + toHex(payload) + closing }
}

/** The kind of address of a locking script; undefined if it has no address form. */
export function addressVersionOf({ version, script }: ScriptPublicKey): AddressVersion | undefined {
  if (version !== 0) return undefined
  return VERSIONS.find((candidate) => {
    const { opening, closing, payloadLength } = FORMS[candidate]
    const length = opening.length + 2 * payloadLength + closing.length
    return script.length === length && script.startsWith(opening) && script.endsWith(closing)
  })
}

/** The address that `scriptPublicKey` pays to, on the network of `prefix`; undefined if it has no address form. */
export function toAddress(scriptPublicKey: ScriptPublicKey, prefix: AddressPrefix): string | undefined {
  const version = addressVersionOf(scriptPublicKey)
  if (version === undefined) return undefined
  const { opening, closing } = FORMS[version]
  const payload = scriptPublicKey.script.slice(opening.length, -closing.length)
  return encodeAddress(prefix, version, fromHex(payload))
}

/**
 * The Schnorr address of a public key in hex: 32 bytes x-only, or 33 bytes compressed, whose parity byte is dropped.
 * Throws `ChainError` (`invalid-argument`) for anything else. Whether the key is a point of the curve is not checked.
 */
export function addressOfPublicKey(publicKeyHex: string, prefix: AddressPrefix): string {
  const key = fromHex(publicKeyHex, 'publicKeyHex')
  if (key.length === 32) return encodeAddress(prefix, 'PubKey', key)
  if (key.length === 33 && (key[0] === 2 || key[0] === 3)) return encodeAddress(prefix, 'PubKey', key.subarray(1))
  throw invalidArgument(
    'publicKeyHex',
    'A public key has 32 bytes (x-only) or 33 bytes (compressed, beginning with 02 or 03)',
  )
}

function malformed(argument: string, what: string): ChainError {
  return invalidArgument(argument, `The address ${what}`, HINT)
}

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
function encodeLetters(prefix: string, version: number, payload: Uint8Array): string {
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
function decodeLetters(prefix: string, letters: string): Uint8Array | string {
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
