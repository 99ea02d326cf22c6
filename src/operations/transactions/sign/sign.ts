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

/** Signs an input of the transaction at hand, by its position; answers the signature script, hex. */
type InputSigner = (index: number) => string

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
  const owners = ownersOf(built, privateKeys, signers)
  const signed = built.spent.map(({ scriptPublicKey }, index) => owners.get(scriptPublicKey.script)?.(index))
  if (signed.some((script) => script !== undefined))
    return signed.map((script, index) => script ?? scripts[index] ?? '')
  throw refuse('sign', {
    code: 'key-mismatch',
    argument: 'privateKeys',
    story: 'None of the keys fits an input of the transaction',
    hint: 'addresses() of the transaction names the addresses whose keys it takes.',
  })
}

/** Who signs for a locking script that one of the keys opens. */
function ownersOf(
  built: BuiltTransaction,
  privateKeys: readonly string[],
  { sdk, ecdsa }: Signers,
): ReadonlyMap<string, InputSigner> {
  const parts = sighashParts(built.transaction)
  const hash = (make: typeof sighash, index: number): Uint8Array =>
    make(built.transaction, index, built.spent, SIGHASH_TYPES.All, parts)
  const owners = new Map<string, InputSigner>()
  for (const [position, given] of privateKeys.entries()) {
    const key = checkKey(given, `privateKeys[${position}]`)
    const { xOnly, compressed } = ask('sign', () => sdk.publicKey(key), {
      ...PRIVATE_KEY,
      argument: `privateKeys[${position}]`,
    })
    owners.set(`20${xOnly}ac`, (index) => ask('sign', () => sdk.signHash(hash(sighash, index), key)))
    if (ecdsa !== undefined) owners.set(`21${compressed}ab`, (index) => ecdsa(hash(ecdsaSighash, index), key))
  }
  return owners
}

/** A private key by its form, in lower case. */
function checkKey(key: unknown, argument: string): string {
  const lower = typeof key === 'string' ? key.toLowerCase() : key
  if (isHex(lower, 32)) return lower
  throw refuse('sign', { ...PRIVATE_KEY, argument, story: 'The private key is no hex of 32 bytes' })
}
