import { isHex } from '../../model/hex.js'
import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../model/network.js'
import { refuse } from './refusal.js'

/** Indices from here on would be hardened ones, which have no public derivation. */
const INDEX_END = 2 ** 31

export const PRIVATE_KEY = {
  code: 'invalid-key',
  argument: 'privateKeyHex',
  hint: 'A private key is 32 bytes in hex, neither zero nor beyond the order of secp256k1.',
} as const

export const PUBLIC_KEY = {
  code: 'invalid-key',
  argument: 'publicKeyHex',
  hint: 'A public key is a point of secp256k1: 33 bytes in hex that begin with 02 or 03, or 32 bytes x-only.',
} as const

const SIGNATURE = {
  code: 'invalid-signature',
  argument: 'signature',
  hint: 'A message signature is 64 bytes in hex, as signMessage and the wallets give it.',
} as const

export function checkNetwork(operation: string, network: ChainNetwork): ChainNetwork {
  if (AVAILABLE_NETWORKS.includes(network)) return network
  throw refuse(operation, {
    code: 'invalid-argument',
    argument: 'network',
    story: 'There is no such network',
    hint: `One of ${AVAILABLE_NETWORKS.join(', ')}.`,
  })
}

/** A private key by its form, as lower-case hex. Whether the curve has it only the SDK can tell. */
export function checkPrivateKey(operation: string, key: string): string {
  const hex = toLowerCase(key)
  if (isHex(hex, 32)) return hex
  throw refuse(operation, { ...PRIVATE_KEY, story: `The private key is no hex of 32 bytes (${describe(key)})` })
}

/** A public key by its form, compressed or x-only, as lower-case hex. */
export function checkPublicKey(operation: string, key: string): string {
  const hex = toLowerCase(key)
  if (isHex(hex, 32) || (isHex(hex, 33) && /^0[23]/.test(hex))) return hex
  throw refuse(operation, { ...PUBLIC_KEY, story: `The public key is of neither form (${describe(key)})` })
}

export function checkSignature(operation: string, signature: string): string {
  const hex = toLowerCase(signature)
  if (isHex(hex, 64)) return hex
  throw refuse(operation, { ...SIGNATURE, story: `The signature is no hex of 64 bytes (${describe(signature)})` })
}

/** Text that has one UTF-8 form; half a surrogate pair has none, and would be signed as something else. */
export function checkText(operation: string, argument: string, text: string): string {
  if (typeof text === 'string' && !/\p{Surrogate}/u.test(text)) return text
  throw refuse(operation, {
    code: 'invalid-argument',
    argument,
    story: `"${argument}" is no well-formed text`,
    hint: 'Pass a string of whole Unicode characters.',
  })
}

/** How many positions of a chain, from `start` on; none may be a hardened one. */
export function checkCount(operation: string, argument: string, count: number, start: number): number {
  if (Number.isInteger(count) && count >= 0 && start + count <= INDEX_END) return count
  throw refuse(operation, {
    code: 'invalid-argument',
    argument,
    story: `"${argument}" is ${String(count)}, from index ${String(start)} on`,
    hint: 'A whole number, so that no index exceeds 2147483647.',
  })
}

/** An account, or a position of a chain. */
export function checkIndex(operation: string, argument: string, index: number): number {
  if (Number.isInteger(index) && index >= 0 && index < INDEX_END) return index
  throw refuse(operation, {
    code: 'invalid-argument',
    argument,
    story: `"${argument}" is ${String(index)}`,
    hint: 'A whole number from 0 to 2147483647.',
  })
}

const toLowerCase = (text: unknown): unknown => (typeof text === 'string' ? text.toLowerCase() : text)

/** What may be said of an argument that may be a secret. */
const describe = (value: unknown): string =>
  typeof value === 'string' ? `${value.length} characters` : `a value of type ${typeof value}`
