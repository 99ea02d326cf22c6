import type { ChainCryptoError } from '../../../errors/crypto-error.js'
import { ecdsaSighash, sighash, sighashParts, SIGHASH_TYPES } from '../../../model/sighash.js'
import { isHex } from '../../../model/hex.js'
import type { SdkPort } from '../../../sdk/port.js'
import { PRIVATE_KEY } from '../../keys/arguments.js'
import { ask, refuse } from '../../keys/refusal.js'
import type { BuiltTransaction } from '../build.js'
import type { EcdsaSigner } from './ecdsa.js'

/** Who signs: the SDK, and for ECDSA inputs, where there are any, @noble/curves. */
export interface Signers {
  readonly sdk: SdkPort
  readonly ecdsa: EcdsaSigner | undefined
}

/** Who signs for a locking script. */
interface Owner {
  /** Hex. */
  readonly script: string
  /** The signature scripts of inputs of the transaction at hand, by their positions; hex. */
  readonly sign: (indexes: readonly number[]) => readonly string[]
}

/**
 * The signature scripts of all inputs, in order: made where one of the keys fits, what `scripts` has where none does.
 * Throws `ChainCryptoError`: `invalid-key`, or `key-mismatch` where the keys fit no input at all.
 */
export function signInputs(
  built: BuiltTransaction,
  scripts: readonly string[],
  privateKeys: readonly string[],
  signers: Signers,
): readonly string[] {
  if (!Array.isArray(privateKeys)) throw badKey('privateKeys', 'The private keys are no array')
  const owners = privateKeys.flatMap((given: unknown, position) => ownersOf(built, given, position, signers))
  const made = new Map(owners.flatMap((owner) => signFor(owner, built)))
  if (made.size > 0) return built.spent.map((_, index) => made.get(index) ?? scripts[index] ?? '')
  throw refuse('sign', {
    code: 'key-mismatch',
    argument: 'privateKeys',
    story: 'None of the keys fits an input of the transaction',
    hint: 'addresses() of the transaction names the addresses whose keys it takes.',
  })
}

/** The signature scripts of what an owner may spend, by the position of the input. */
function signFor({ script, sign }: Owner, { spent }: BuiltTransaction): readonly (readonly [number, string])[] {
  const indexes = [...spent.keys()].filter((index) => spent[index]?.scriptPublicKey.script === script)
  if (indexes.length === 0) return []
  const made = sign(indexes)
  return indexes.map((index, at) => [index, made[at] ?? ''] as const)
}

/** What one key opens: the Schnorr address and, where it matters, the ECDSA one. */
function ownersOf(
  { transaction, spent }: BuiltTransaction,
  given: unknown,
  position: number,
  { sdk, ecdsa }: Signers,
): readonly Owner[] {
  const culprit = { ...PRIVATE_KEY, argument: `privateKeys[${position}]` }
  const key = checkKey(given, culprit.argument)
  const { xOnly, compressed } = ask('sign', () => sdk.publicKey(key), culprit)
  const parts = sighashParts(transaction)
  const toHashes = (make: typeof sighash, indexes: readonly number[]): readonly Uint8Array[] =>
    indexes.map((index) => make(transaction, index, spent, SIGHASH_TYPES.All, parts))
  const schnorr = (indexes: readonly number[]) => ask('sign', () => sdk.signHashes(toHashes(sighash, indexes), key))
  if (ecdsa === undefined) return [{ script: `20${xOnly}ac`, sign: schnorr }]
  const withEcdsa = (indexes: readonly number[]) => toHashes(ecdsaSighash, indexes).map((hash) => ecdsa(hash, key))
  return [
    { script: `20${xOnly}ac`, sign: schnorr },
    { script: `21${compressed}ab`, sign: withEcdsa },
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
