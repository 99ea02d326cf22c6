import type { DerivedKey, KeypairInfo, MnemonicInfo, SignMessageResult } from '../../model/key.js'
import type { ChainNetwork } from '../../model/network.js'

/** Which key of a phrase: m/44'/111111'/account'/change/index. */
export interface DerivationPath {
  /** @default 0 */
  readonly account?: number | undefined
  readonly index: number
  /** The change chain in place of the receive chain. @default false */
  readonly change?: boolean | undefined
}

export interface MnemonicToKeypairOptions extends Partial<DerivationPath> {
  /** The BIP-39 passphrase, any Unicode text. @default '' */
  readonly passphrase?: string | undefined
}

export interface DerivePublicKeysOptions {
  /** @default 0 */
  readonly account?: number | undefined
  /** The first index of both chains. @default 0 */
  readonly start?: number | undefined
  /** The BIP-39 passphrase, any Unicode text. @default '' */
  readonly passphrase?: string | undefined
}

/** What there is to do with keys, phrases, addresses and messages; everything of `UseCryptoReturn` that is not an amount. */
export interface KeyOperations {
  generateMnemonic(wordCount?: 12 | 24): MnemonicInfo
  generateKeypair(network: ChainNetwork): KeypairInfo
  mnemonicToKeypair(phrase: string, network: ChainNetwork, options?: MnemonicToKeypairOptions): KeypairInfo
  derivePublicKeys(
    phrase: string,
    network: ChainNetwork,
    receiveCount?: number,
    changeCount?: number,
    options?: DerivePublicKeysOptions,
  ): { receive: DerivedKey[]; change: DerivedKey[] }
  derivePrivateKey(phrase: string, network: ChainNetwork, path: DerivationPath, passphrase?: string): KeypairInfo
  createAddress(publicKeyHex: string, network: ChainNetwork): string
  isValidAddress(address: string, network?: ChainNetwork): boolean
  isValidMnemonic(phrase: string): boolean
  signMessage(message: string, privateKeyHex: string): SignMessageResult
  verifyMessage(message: string, signature: string, publicKeyHex: string): boolean
}
