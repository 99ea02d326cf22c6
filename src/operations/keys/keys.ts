import type { DerivedKey, KeypairInfo, MnemonicInfo, SignMessageResult } from '../../model/key.js'
import type { ChainNetwork } from '../../model/network.js'
import type { SdkPort } from '../../sdk/port.js'
import { createAddress } from './address.js'
import {
  deriveKeypair,
  derivePublicKeys,
  type DerivationPath,
  type DerivePublicKeysOptions,
  type MnemonicToKeypairOptions,
} from './derivation.js'
import { generateKeypair } from './keypair.js'
import { signMessage, verifyMessage } from './messages.js'
import { generateMnemonic, isValidMnemonic } from './mnemonic.js'
import { ask } from './refusal.js'
import { WITHOUT_SDK } from './without-sdk.js'

/**
 * What there is to do with phrases, keys, addresses and messages. All hex is lower case; keys and signatures are taken
 * in either case. What needs the SDK throws `ChainNotReadyError` until WASM is ready, and `ChainCryptoError` for a bad
 * argument, which it names and never quotes.
 */
export interface KeyOperations extends Readonly<typeof WITHOUT_SDK> {
  /** A fresh BIP-39 phrase in English. @default 24 words */
  readonly generateMnemonic: (wordCount?: 12 | 24) => MnemonicInfo
  /** A fresh key that belongs to no phrase. */
  readonly generateKeypair: (network: ChainNetwork) => KeypairInfo
  /** One key of a phrase, by default the first that receives: m/44'/111111'/0'/0/0. */
  readonly mnemonicToKeypair: (phrase: string, network: ChainNetwork, options?: MnemonicToKeypairOptions) => KeypairInfo
  /** The first `receiveCount` and `changeCount` (10 and 10) public keys of an account, with their addresses, in order. */
  readonly derivePublicKeys: (
    phrase: string,
    network: ChainNetwork,
    receiveCount?: number,
    changeCount?: number,
    options?: DerivePublicKeysOptions,
  ) => { receive: DerivedKey[]; change: DerivedKey[] }
  /** The key at m/44'/111111'/account'/change/index. */
  readonly derivePrivateKey: (
    phrase: string,
    network: ChainNetwork,
    path: DerivationPath,
    passphrase?: string,
  ) => KeypairInfo
  /** The Schnorr address of a public key, compressed or x-only. */
  readonly createAddress: (publicKeyHex: string, network: ChainNetwork) => string
  /** Whether `phrase` is 12 or 24 English BIP-39 words with a right checksum. */
  readonly isValidMnemonic: (phrase: string) => boolean
  /** A BIP-340 signature of the message, as the network's wallets make it. Never the same twice. */
  readonly signMessage: (message: string, privateKeyHex: string) => SignMessageResult
  /** Whether the key, compressed or x-only, has signed the message. */
  readonly verifyMessage: (message: string, signature: string, publicKeyHex: string) => boolean
}

/** `sdk` answers the SDK, or throws `ChainNotReadyError` that names the operation which asks. */
export function createKeys(sdk: (operation: string) => SdkPort): KeyOperations {
  const withSdk = <Result>(operation: string, use: (ready: SdkPort) => Result): Result => {
    const ready = sdk(operation)
    return ask(operation, () => use(ready))
  }
  return {
    ...WITHOUT_SDK,
    generateMnemonic: (wordCount = 24) => withSdk('generateMnemonic', (ready) => generateMnemonic(ready, wordCount)),
    generateKeypair: (network) => withSdk('generateKeypair', (ready) => generateKeypair(ready, network)),
    mnemonicToKeypair: (phrase, network, { passphrase, index = 0, ...path } = {}) =>
      withSdk('mnemonicToKeypair', (ready) =>
        deriveKeypair(ready, ['mnemonicToKeypair', 'options'], phrase, network, { ...path, index }, passphrase),
      ),
    derivePublicKeys: (phrase, network, receiveCount = 10, changeCount = 10, options = {}) =>
      withSdk('derivePublicKeys', (ready) =>
        derivePublicKeys(ready, phrase, network, receiveCount, changeCount, options),
      ),
    derivePrivateKey: (phrase, network, path, passphrase) =>
      withSdk('derivePrivateKey', (ready) =>
        deriveKeypair(ready, ['derivePrivateKey', 'path'], phrase, network, path, passphrase),
      ),
    createAddress: (publicKeyHex, network) =>
      withSdk('createAddress', (ready) => createAddress(ready, publicKeyHex, network)),
    isValidMnemonic: (phrase) => withSdk('isValidMnemonic', (ready) => isValidMnemonic(ready, phrase)),
    signMessage: (message, privateKeyHex) =>
      withSdk('signMessage', (ready) => signMessage(ready, message, privateKeyHex)),
    verifyMessage: (message, signature, publicKeyHex) =>
      withSdk('verifyMessage', (ready) => verifyMessage(ready, message, signature, publicKeyHex)),
  }
}
