import { ChainError, invalidArgument } from '../errors/chain-error.js'
import { decodeLetters, encodeLetters } from './address-groups.js'
import { fromHex, toHex } from './hex.js'
import { NETWORKS, isAddressPrefix, isChainNetwork, type AddressPrefix, type ChainNetwork } from './network.js'
import type { ScriptPublicKey } from './utxo.js'

/** Kinds of addresses: Schnorr public key, ECDSA public key, script hash. */
export type AddressVersion = 'PubKey' | 'PubKeyECDSA' | 'ScriptHash'

/** The parts of an address. `payload` is a 32-byte x-only key, a 33-byte compressed key, or a 32-byte script hash. */
export interface DecodedAddress {
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
