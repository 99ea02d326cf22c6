import type { DerivedKey, KeypairInfo } from '../../model/keys.js'
import { type ChainNetwork, NETWORKS } from '../../model/network.js'
import type { KeyChain, KeyPath, MnemonicSecret, SdkPort } from '../../sdk/port.js'
import { checkChange, checkCosigner, checkCount, checkIndex, checkNetwork, checkPurpose } from './arguments.js'
import { checkMnemonic } from './mnemonic.js'
import { addressOfPublicKey } from '../../model/address.js'

/** A key of a mnemonic: m/44'/111111'/account'/change/index, or a cosigner's: m/45'/111111'/account'/cosigner/…. */
export interface DerivationPath {
  /** 44 for an account with one key, 45 for a cosigner's key of an account with several. @default 44 */
  readonly purpose?: 44 | 45 | undefined
  /** @default 0 */
  readonly account?: number | undefined
  readonly index: number
  /** Use the change chain instead of the receive chain. @default false */
  readonly change?: boolean | undefined
  /** Only with purpose 45, and required there: the branch, by the position of its cosigner among the keys. */
  readonly cosigner?: number | undefined
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

export interface DeriveExtendedPublicKeyOptions {
  /** @default 0 */
  readonly account?: number | undefined
  /** 44 for an account with one key, 45 for a cosigner's key of an account with several. @default 44 */
  readonly purpose?: 44 | 45 | undefined
  /** The BIP-39 passphrase, any Unicode text. @default '' */
  readonly passphrase?: string | undefined
}

/** The key at a path. `operation` and `pathArgument` appear in errors. */
export function deriveKeypair(
  sdk: SdkPort,
  [operation, pathArgument]: readonly [operation: string, pathArgument: string],
  phrase: string,
  network: ChainNetwork,
  path: DerivationPath,
  passphrase?: string,
): KeypairInfo {
  checkNetwork(operation, network)
  const secret = checkMnemonic(sdk, operation, phrase, passphrase)
  return toKeypair(sdk, sdk.derivePrivateKey(secret, toKeyPath(operation, pathArgument, path)), network)
}

/** The public keys of an account from `start` on. */
export function derivePublicKeys(
  sdk: SdkPort,
  phrase: string,
  network: ChainNetwork,
  receiveCount: number,
  changeCount: number,
  { account = 0, start = 0, passphrase }: DerivePublicKeysOptions,
): { receive: DerivedKey[]; change: DerivedKey[] } {
  const operation = 'derivePublicKeys'
  checkNetwork(operation, network)
  checkIndex(operation, 'options.account', account)
  checkIndex(operation, 'options.start', start)
  checkCount(operation, 'receiveCount', receiveCount, start)
  checkCount(operation, 'changeCount', changeCount, start)
  const secret = checkMnemonic(sdk, operation, phrase, passphrase)
  const derive = (change: boolean, count: number): DerivedKey[] =>
    deriveChain(sdk, secret, { account, change }, start, count, network)
  return { receive: derive(false, receiveCount), change: derive(true, changeCount) }
}

/** The extended public key of an account: a kpub on mainnet, a ktub on every other network. */
export function deriveExtendedPublicKey(
  sdk: SdkPort,
  phrase: string,
  network: ChainNetwork,
  { account = 0, purpose = 44, passphrase }: DeriveExtendedPublicKeyOptions,
): string {
  const operation = 'deriveExtendedPublicKey'
  checkNetwork(operation, network)
  checkIndex(operation, 'options.account', account)
  checkPurpose(operation, 'options.purpose', purpose)
  const secret = checkMnemonic(sdk, operation, phrase, passphrase)
  return sdk.deriveExtendedPublicKey(secret, { account, purpose }, network === 'mainnet' ? 'kpub' : 'ktub')
}

function deriveChain(
  sdk: SdkPort,
  secret: MnemonicSecret,
  chain: KeyChain,
  start: number,
  count: number,
  network: ChainNetwork,
): DerivedKey[] {
  return sdk.derivePublicKeys(secret, chain, start, count).map((publicKeyHex, position) => ({
    index: start + position,
    publicKeyHex,
    address: addressOf(publicKeyHex, network),
  }))
}

function toKeyPath(
  operation: string,
  argument: string,
  { purpose = 44, account = 0, cosigner, index, change = false }: DerivationPath,
): KeyPath {
  checkPurpose(operation, `${argument}.purpose`, purpose)
  checkCosigner(operation, `${argument}.cosigner`, purpose, cosigner)
  return {
    account: checkIndex(operation, `${argument}.account`, account),
    index: checkIndex(operation, `${argument}.index`, index),
    change: checkChange(operation, `${argument}.change`, change),
    cosigner,
  }
}

/** A new random key. */
export function generateKeypair(sdk: SdkPort, network: ChainNetwork): KeypairInfo {
  checkNetwork('generateKeypair', network)
  return toKeypair(sdk, sdk.generatePrivateKey(), network)
}

/** A private key with its public key and address. */
function toKeypair(sdk: SdkPort, privateKeyHex: string, network: ChainNetwork): KeypairInfo {
  const publicKeyHex = sdk.publicKey(privateKeyHex).compressed
  return { privateKeyHex, publicKeyHex, address: addressOf(publicKeyHex, network) }
}

/** The address of a key from the SDK, which is valid: without the SDK's own check this is eight times faster. */
const addressOf = (publicKeyHex: string, network: ChainNetwork): string =>
  addressOfPublicKey(publicKeyHex, NETWORKS[network].addressPrefix)
