import type { ChainNetwork } from '../../model/network.js'
import type { SdkPort } from '../../sdk/port.js'
import { PUBLIC_KEY, checkNetwork, checkPublicKey } from './arguments.js'
import { ask } from './refusal.js'

/** The Schnorr address of a public key. The SDK is asked, because only the curve knows whether it is a key at all. */
export function createAddress(sdk: SdkPort, publicKeyHex: string, network: ChainNetwork): string {
  const key = checkPublicKey('createAddress', publicKeyHex)
  checkNetwork('createAddress', network)
  return ask('createAddress', () => sdk.address(key, network), PUBLIC_KEY)
}
