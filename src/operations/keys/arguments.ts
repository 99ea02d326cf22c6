import { isHex } from '../../model/hex.js'
import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../model/network.js'
import { cryptoError } from './crypto-failure.js'

/** Indexes from here on are hardened, without public derivation. */
const INDEX_END = 2 ** 31

/** The most keys of one call: a key takes about 0.1 ms, in which nothing else runs. */
const MAX_COUNT = 10_000

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
  hint: 'A message signature is 64 bytes in hex, as returned by signMessage and the wallets.',
} as const

export function checkNetwork(operation: string, network: ChainNetwork): ChainNetwork {
  if (AVAILABLE_NETWORKS.includes(network)) return network
  throw cryptoError(operation, {
    code: 'invalid-argument',
    argument: 'network',
    reason: 'The network is unknown',
    hint: `One of ${AVAILABLE_NETWORKS.join(', ')}.`,
  })
}

/** Checks the form of a private key and returns lower-case hex. The SDK checks the range. */
export function checkPrivateKey(operation: string, key: string): string {
  const hex = toLowerCase(key)
  if (isHex(hex, 32)) return hex
  throw cryptoError(operation, { ...PRIVATE_KEY, reason: `The private key is not 32 bytes in hex (${describe(key)})` })
}

/** Checks the form of a public key, compressed or x-only, and returns lower-case hex. */
export function checkPublicKey(operation: string, key: string): string {
  const hex = toLowerCase(key)
  if (isHex(hex, 32) || (isHex(hex, 33) && /^0[23]/.test(hex))) return hex
  throw cryptoError(operation, {
    ...PUBLIC_KEY,
    reason: `The public key is neither compressed nor x-only (${describe(key)})`,
  })
}

export function checkSignature(operation: string, signature: string): string {
  const hex = toLowerCase(signature)
  if (isHex(hex, 64)) return hex
  throw cryptoError(operation, {
    ...SIGNATURE,
    reason: `The signature is not 64 bytes in hex (${describe(signature)})`,
  })
}

/** Rejects lone surrogates: they have no UTF-8 form, so other bytes would be signed. */
export function checkText(operation: string, argument: string, text: string): string {
  if (typeof text === 'string' && !/\p{Surrogate}/u.test(text)) return text
  throw cryptoError(operation, {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" is not well-formed text`,
    hint: 'Pass a string of whole Unicode characters.',
  })
}

/** A number of indexes from `start` on, none of them hardened. */
export function checkCount(operation: string, argument: string, count: number, start: number): number {
  if (Number.isInteger(count) && count >= 0 && count <= MAX_COUNT && start + count < INDEX_END) return count
  throw cryptoError(operation, {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" is ${shown(count)}, from index ${start} on`,
    hint: 'A whole number up to 10000, so that start and count together stay below 2147483648.',
  })
}

/** An account, or an index of a chain. */
export function checkIndex(operation: string, argument: string, index: number | undefined): number {
  if (index !== undefined && Number.isInteger(index) && index >= 0 && index < INDEX_END) return index
  throw cryptoError(operation, {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" is ${shown(index)}`,
    hint: 'A whole number from 0 to 2147483647.',
  })
}

/** Which of the two chains of an account: a text such as '0' would be the change chain. */
export function checkChange(operation: string, argument: string, change: boolean): boolean {
  if (typeof change === 'boolean') return change
  throw cryptoError(operation, {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" is ${shown(change)}`,
    hint: 'true for the change chain, false for the receive chain.',
  })
}

/** The purpose of a path: the level below the master key. */
export function checkPurpose(operation: string, argument: string, purpose: 44 | 45): void {
  if ([44, 45].includes(purpose)) return
  throw cryptoError(operation, {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" is neither 44 nor 45`,
    hint: '44 for an account with one key, 45 for the key of a cosigner.',
  })
}

/** The branch below the account of a cosigner, which accounts of one key do not have. */
export function checkCosigner(
  operation: string,
  argument: string,
  purpose: 44 | 45,
  cosigner: number | undefined,
): void {
  if (purpose === 45) {
    checkIndex(operation, argument, cosigner)
    return
  }
  if (cosigner === undefined) return
  throw cryptoError(operation, {
    code: 'invalid-argument',
    argument,
    reason: `"${argument}" belongs to paths with purpose 45`,
    hint: 'Pass purpose: 45 for the key of a cosigner, or leave cosigner out.',
  })
}

const toLowerCase = (text: unknown): unknown => (typeof text === 'string' ? text.toLowerCase() : text)

/** A number as it is; another value, which may be a secret at the wrong place, by its type. */
const shown = (value: unknown): string => (typeof value === 'number' ? String(value) : describe(value))

/** Describes an argument without its value, which may be a secret. */
const describe = (value: unknown): string =>
  typeof value === 'string' ? `${value.length} characters` : `a value of type ${typeof value}`
