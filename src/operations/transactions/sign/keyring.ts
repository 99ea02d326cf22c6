import type { ChainCryptoError } from '../../../errors/crypto-error.js'
import { isHex } from '../../../model/hex.js'
import { ecdsaSighash, sighash } from '../../../model/sighash.js'
import type { SdkPort } from '../../../sdk/port.js'
import { PRIVATE_KEY } from '../../keys/arguments.js'
import { ask, refuse } from '../../keys/refusal.js'
import type { EcdsaSigner } from './ecdsa.js'

/** Who signs: the SDK, and for ECDSA inputs, where there are any, @noble/curves. */
export interface Signers {
  readonly sdk: SdkPort
  readonly ecdsa: EcdsaSigner | undefined
}

/** Who signs for a locking script. */
export interface Owner {
  /** Which hash of an input it is that the owner signs. */
  readonly toHash: typeof sighash
  /** The whole signature script of each hash; hex. */
  readonly sign: (hashes: readonly Uint8Array[]) => readonly string[]
}

/** What private keys open: the owner of each locking script, by the script in hex. Let go of once all is signed. */
export type Keyring = ReadonlyMap<string, Owner>

/** Reads each key once, however much it is to sign. Throws `ChainCryptoError` (`invalid-key`). */
export function openKeyring(privateKeys: readonly string[], signers: Signers): Keyring {
  if (!Array.isArray(privateKeys)) throw badKey('privateKeys', 'The private keys are no array')
  return new Map(privateKeys.flatMap((given: unknown, position) => ownersOf(given, position, signers)))
}

/** What one key opens: the Schnorr address and, where it matters, the ECDSA one. */
function ownersOf(given: unknown, position: number, { sdk, ecdsa }: Signers): readonly (readonly [string, Owner])[] {
  const culprit = { ...PRIVATE_KEY, argument: `privateKeys[${position}]` }
  const key = checkKey(given, culprit.argument)
  const { xOnly, compressed } = ask('sign', () => sdk.publicKey(key), culprit)
  const schnorr: Owner = { toHash: sighash, sign: (hashes) => ask('sign', () => sdk.signHashes(hashes, key)) }
  if (ecdsa === undefined) return [[`20${xOnly}ac`, schnorr]]
  return [
    [`20${xOnly}ac`, schnorr],
    [`21${compressed}ab`, { toHash: ecdsaSighash, sign: (hashes) => hashes.map((hash) => ecdsa(hash, key)) }],
  ]
}

/** A private key by its form, in lower case. */
function checkKey(key: unknown, argument: string): string {
  const lower = typeof key === 'string' ? key.toLowerCase() : key
  if (isHex(lower, 32)) return lower
  throw badKey(argument, 'The private key is no hex of 32 bytes')
}

const badKey = (argument: string, story: string): ChainCryptoError =>
  refuse('sign', { ...PRIVATE_KEY, argument, story })
