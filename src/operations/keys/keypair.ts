import type { KeypairInfo } from '../../model/key.js'
import type { ChainNetwork } from '../../model/network.js'
import type { SdkPort } from '../../sdk/port.js'
import { checkNetwork } from './arguments.js'

/** A fresh key. */
export function generateKeypair(sdk: SdkPort, network: ChainNetwork): KeypairInfo {
  checkNetwork('generateKeypair', network)
  return toKeypair(sdk, sdk.generatePrivateKey(), network)
}

/** A private key with its public key and address. */
export function toKeypair(sdk: SdkPort, privateKeyHex: string, network: ChainNetwork): KeypairInfo {
  const publicKeyHex = sdk.publicKey(privateKeyHex).compressed
  return { privateKeyHex, publicKeyHex, address: sdk.address(publicKeyHex, network) }
}
