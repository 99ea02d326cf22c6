import type { ChainCryptoError } from '../../../errors/crypto-error.js'
import { isHex } from '../../../model/hex.js'
import type { SdkPort } from '../../../sdk/port.js'
import { PRIVATE_KEY } from '../../keys/arguments.js'
import { callSdk, cryptoError } from '../../keys/crypto-failure.js'

/** Private keys by locking script, hex. Kept after signing for a frozen array only, as long as that is kept. */
export type Keyring = ReadonlyMap<string, string>

/** Those of frozen arrays. */
const opened = /*#__PURE__*/ new WeakMap<readonly string[], Keyring>()

/**
 * Reads each key once, for its Schnorr and its ECDSA script: those of a frozen array once in all, because a queue signs
 * with the same keys each time. Throws `ChainCryptoError` (`invalid-key`).
 */
export function openKeyring(privateKeys: readonly string[], sdk: SdkPort): Keyring {
  if (!Array.isArray(privateKeys)) throw invalidKey('privateKeys', 'The private keys are not an array')
  const known = opened.get(privateKeys)
  if (known !== undefined) return known
  const keyring = new Map(privateKeys.flatMap((given: unknown, position) => scriptsOf(given, position, sdk)))
  if (Object.isFrozen(privateKeys)) opened.set(privateKeys, keyring)
  return keyring
}

function scriptsOf(given: unknown, position: number, sdk: SdkPort): readonly (readonly [string, string])[] {
  const details = { ...PRIVATE_KEY, argument: `privateKeys[${position}]` }
  const key = checkKey(given, details.argument)
  const { xOnly, compressed } = callSdk('sign', () => sdk.publicKey(key), details)
  return [
    [`20${xOnly}ac`, key],
    [`21${compressed}ab`, key],
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
