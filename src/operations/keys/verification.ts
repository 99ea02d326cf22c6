import type { ChainNetwork } from '../../model/network.js'
import type { VerificationPort } from '../../sdk/port.js'
import { callSdk } from './crypto-failure.js'
import { verifyMessage, type SignedMessage } from './messages.js'
import { isValidMnemonic } from './mnemonic.js'
import { verifyAddressMessage } from './verify-address-message.js'
import { PUBLIC_KEY, checkNetwork, checkPublicKey } from './arguments.js'

export interface VerifyMessage {
  /** Whether the signature of the message is valid for the key, compressed or x-only. Throws for malformed input. */
  (message: string, signature: string, publicKeyHex: string): boolean
  /**
   * Whether the key of a Schnorr address signed the message; false for malformed input. Throws `ChainCryptoError`:
   * `unsupported-address` for ECDSA and script-hash addresses, `invalid-argument` for a value that is no string.
   */
  (signed: SignedMessage): boolean
}

/** Operations that need no secret, and no WASM. */
export interface VerificationOperations {
  /** The Schnorr address of a public key, compressed or x-only. */
  readonly createAddress: (publicKeyHex: string, network: ChainNetwork) => string
  /** Whether `phrase` is 12 or 24 English BIP-39 words with a valid checksum. */
  readonly isValidMnemonic: (phrase: string) => boolean
  readonly verifyMessage: VerifyMessage
}

/** `port` returns the implementation, or throws `ChainNotReadyError` with the operation's name. */
export function createVerification(port: (operation: string) => VerificationPort): VerificationOperations {
  const withPort = <Result>(operation: string, use: (ready: VerificationPort) => Result): Result => {
    const ready = port(operation)
    return callSdk(operation, () => use(ready))
  }
  return {
    createAddress: (publicKeyHex, network) =>
      withPort('createAddress', (ready) => createAddress(ready, publicKeyHex, network)),
    isValidMnemonic: (phrase) => withPort('isValidMnemonic', (ready) => isValidMnemonic(ready, phrase)),
    verifyMessage: createVerifyMessage(port),
  }
}

/** `verifyMessage` alone, which needs no word list. */
export const createVerifyMessage =
  (port: (operation: string) => Pick<VerificationPort, 'verifyMessage'>): VerifyMessage =>
  (...given: [SignedMessage] | [message: string, signature: string, publicKeyHex: string]) => {
    const ready = port('verifyMessage')
    return callSdk('verifyMessage', () =>
      given.length === 1 ? verifyAddressMessage(ready, given[0]) : verifyMessage(ready, ...given),
    )
  }

/** The Schnorr address of a public key, by the SDK, because validity of the key depends on the curve. */
function createAddress(sdk: VerificationPort, publicKeyHex: string, network: ChainNetwork): string {
  const key = checkPublicKey('createAddress', publicKeyHex)
  checkNetwork('createAddress', network)
  return callSdk('createAddress', () => sdk.address(key, network), PUBLIC_KEY)
}
