import type { DerivedKey, KeypairInfo, MnemonicInfo, SignMessageResult } from '../../model/keys.js'
import type { ChainNetwork, CurrencyUnit } from '../../model/network.js'
import type { SdkPort } from '../../sdk/port.js'
import {
  deriveExtendedPublicKey,
  deriveKeypair,
  derivePublicKeys,
  type DerivationPath,
  type DeriveExtendedPublicKeyOptions,
  type DerivePublicKeysOptions,
  type MnemonicToKeypairOptions,
  generateKeypair,
} from './derivation.js'
import { signMessage } from './messages.js'
import { generateMnemonic } from './mnemonic.js'
import { callSdk } from './crypto-failure.js'
import { createVerification, type VerificationOperations } from './verification.js'
import { WITHOUT_SDK } from './without-sdk.js'

/**
 * Operations on mnemonics, keys, addresses and messages. Results are lower-case hex; keys and signatures are accepted
 * in either case. What needs the SDK throws `ChainNotReadyError` until WASM is ready, and `ChainCryptoError` for an
 * invalid argument, which the error names and never quotes.
 */
export interface KeyOperations extends VerificationOperations {
  /** KAS in sompi, exactly: text such as `12.5`, or a number by its decimal text. */
  readonly kaspaToSompi: (kas: string | number) => bigint
  /** Sompi as KAS, exactly, without trailing zeros. */
  readonly sompiToKaspa: (sompi: bigint) => string
  /** Sompi as KAS with exactly `decimals` (0 to 8) digits after the point. */
  readonly sompiToKaspaString: (sompi: bigint, decimals?: number) => string
  /** The unit of a network's amounts, mainnet's by default. */
  readonly currencyUnit: (network?: ChainNetwork) => CurrencyUnit
  /** Sompi as KAS for display, with the unit of `network` where one is given: `1.5 TKAS`. */
  readonly numberToKaspa: (sompi: bigint | number, network?: ChainNetwork) => string
  /** Alias of `kaspaToSompi`. */
  readonly numberToSompi: (kas: string | number) => bigint
  /** Whether an address is one of `network`, or of any network where none is given. */
  readonly isValidAddress: (text: unknown, network?: ChainNetwork) => text is string
  /** A new English BIP-39 mnemonic. @default 24 words */
  readonly generateMnemonic: (wordCount?: 12 | 24) => MnemonicInfo
  /** A new random key, not derived from a mnemonic. */
  readonly generateKeypair: (network: ChainNetwork) => KeypairInfo
  /** A key of a mnemonic, by default the first receive key: m/44'/111111'/0'/0/0. */
  readonly mnemonicToKeypair: (phrase: string, network: ChainNetwork, options?: MnemonicToKeypairOptions) => KeypairInfo
  /**
   * The first `receiveCount` and `changeCount` (10 and 10) public keys of an account, with their addresses, in order.
   */
  readonly derivePublicKeys: (
    phrase: string,
    network: ChainNetwork,
    receiveCount?: number,
    changeCount?: number,
    options?: DerivePublicKeysOptions,
  ) => { receive: DerivedKey[]; change: DerivedKey[] }
  /**
   * The extended public key of an account, which derives all its addresses and spends nothing: `kpub…` on mainnet,
   * `ktub…` on other networks; with `purpose: 45` a cosigner's, of m/45'/111111'/account'. For
   * `accounts.fromExtendedPublicKey`. Not secret, but with one private key of the account it yields all of them.
   */
  readonly deriveExtendedPublicKey: (
    phrase: string,
    network: ChainNetwork,
    options?: DeriveExtendedPublicKeyOptions,
  ) => string
  /**
   * The key at m/44'/111111'/account'/change/index; with `purpose: 45` a cosigner's, at
   * m/45'/111111'/account'/cosigner/change/index, whose address is that of the key alone.
   */
  readonly derivePrivateKey: (
    phrase: string,
    network: ChainNetwork,
    path: DerivationPath,
    passphrase?: string,
  ) => KeypairInfo
  /** A randomized BIP-340 signature of the message, as Kaspa wallets sign messages. */
  readonly signMessage: (message: string, privateKeyHex: string) => SignMessageResult
}

/** Loads the operations that need no secret. */
export interface VerificationLoader {
  /**
   * Loads `verifyMessage`, `isValidMnemonic` and `createAddress` without WASM; they then work before `init()`.
   * Rejects with the error of the import; the next call retries.
   */
  readonly loadVerification: () => Promise<void>
}

/** `sdk` returns the SDK, or throws `ChainNotReadyError` with the operation's name. */
export function createKeys(sdk: (operation: string) => SdkPort): KeyOperations {
  const withSdk = <Result>(operation: string, use: (ready: SdkPort) => Result): Result => {
    const ready = sdk(operation)
    return callSdk(operation, () => use(ready))
  }
  return {
    ...WITHOUT_SDK,
    ...createVerification(sdk),
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
    deriveExtendedPublicKey: (phrase, network, options = {}) =>
      withSdk('deriveExtendedPublicKey', (ready) => deriveExtendedPublicKey(ready, phrase, network, options)),
    derivePrivateKey: (phrase, network, path, passphrase) =>
      withSdk('derivePrivateKey', (ready) =>
        deriveKeypair(ready, ['derivePrivateKey', 'path'], phrase, network, path, passphrase),
      ),
    signMessage: (message, privateKeyHex) =>
      withSdk('signMessage', (ready) => signMessage(ready, message, privateKeyHex)),
  }
}
