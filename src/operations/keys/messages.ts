import type { SignMessageResult } from '../../model/key.js'
import type { SdkPort } from '../../sdk/port.js'
import { PRIVATE_KEY, PUBLIC_KEY, checkPrivateKey, checkPublicKey, checkSignature, checkText } from './arguments.js'
import { ask } from './refusal.js'

/** Signs a message as the network's wallets do. */
export function signMessage(sdk: SdkPort, message: string, privateKeyHex: string): SignMessageResult {
  const text = checkText('signMessage', 'message', message)
  const key = checkPrivateKey('signMessage', privateKeyHex)
  const sign = (): SignMessageResult => ({
    message: text,
    signature: sdk.signMessage(text, key),
    publicKeyHex: sdk.publicKey(key).compressed,
  })
  return ask('signMessage', sign, PRIVATE_KEY)
}

/** Whether a message was signed by a key. */
export function verifyMessage(sdk: SdkPort, message: string, signature: string, publicKeyHex: string): boolean {
  const text = checkText('verifyMessage', 'message', message)
  const proof = checkSignature('verifyMessage', signature)
  const key = checkPublicKey('verifyMessage', publicKeyHex)
  return ask('verifyMessage', () => sdk.verifyMessage(text, proof, key), PUBLIC_KEY)
}
