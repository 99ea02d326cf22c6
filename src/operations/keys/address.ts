import type { ChainNetwork } from '../../model/network.js'
import type { VerificationPort } from '../../sdk/port.js'
import { PUBLIC_KEY, checkNetwork, checkPublicKey } from './arguments.js'
import { callSdk } from './crypto-failure.js'

/** The Schnorr address of a public key, by the SDK, because validity of the key depends on the curve. */
export function createAddress(sdk: VerificationPort, publicKeyHex: string, network: ChainNetwork): string {
  const key = checkPublicKey('createAddress', publicKeyHex)
  checkNetwork('createAddress', network)
  return callSdk('createAddress', () => sdk.address(key, network), PUBLIC_KEY)
}
