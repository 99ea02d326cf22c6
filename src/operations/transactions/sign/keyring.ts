import type { ChainCryptoError } from '../../../errors/crypto-error.js'
import { isHex } from '../../../model/hex.js'
import { ecdsaSighash, sighash } from '../../../model/sighash.js'
import type { SdkPort } from '../../../sdk/port.js'
import { PRIVATE_KEY } from '../../keys/arguments.js'
import { callSdk, cryptoError } from '../../keys/crypto-failure.js'
import type { EcdsaSigner } from './ecdsa.js'

/** The SDK, and @noble/curves for ECDSA inputs. */
export interface SigningBackends {
  readonly sdk: SdkPort
  readonly ecdsa: EcdsaSigner | undefined
}

/** Signs the inputs of one locking script. */
export interface KeySigner {
  /** The hash of an input to sign. */
  readonly toHash: typeof sighash
  /** The signature script for each hash, hex. */
  readonly sign: (hashes: readonly Uint8Array[]) => readonly string[]
}

/** Signers by locking script, hex. Not kept after signing. */
export type Keyring = ReadonlyMap<string, KeySigner>

/** Reads each key once. Throws `ChainCryptoError` (`invalid-key`). */
export function openKeyring(privateKeys: readonly string[], backends: SigningBackends): Keyring {
  if (!Array.isArray(privateKeys)) throw invalidKey('privateKeys', 'The private keys are not an array')
  return new Map(privateKeys.flatMap((given: unknown, position) => signersOf(given, position, backends)))
}

/** Signers for the Schnorr script of a key and, where needed, the ECDSA script. */
function signersOf(
  given: unknown,
  position: number,
  { sdk, ecdsa }: SigningBackends,
): readonly (readonly [string, KeySigner])[] {
  const details = { ...PRIVATE_KEY, argument: `privateKeys[${position}]` }
  const key = checkKey(given, details.argument)
  const { xOnly, compressed } = callSdk('sign', () => sdk.publicKey(key), details)
  const schnorr: KeySigner = { toHash: sighash, sign: (hashes) => callSdk('sign', () => sdk.signHashes(hashes, key)) }
  if (ecdsa === undefined) return [[`20${xOnly}ac`, schnorr]]
  return [
    [`20${xOnly}ac`, schnorr],
    [`21${compressed}ab`, { toHash: ecdsaSighash, sign: (hashes) => hashes.map((hash) => ecdsa(hash, key)) }],
  ]
}

/** Checks the form of a private key and returns it in lower case. */
function checkKey(key: unknown, argument: string): string {
  const lower = typeof key === 'string' ? key.toLowerCase() : key
  if (isHex(lower, 32)) return lower
  throw invalidKey(argument, 'The private key is not 32 bytes in hex')
}

const invalidKey = (argument: string, reason: string): ChainCryptoError =>
  cryptoError('sign', { ...PRIVATE_KEY, argument, reason })
