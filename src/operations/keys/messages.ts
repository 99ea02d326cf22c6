import type { SignMessageResult } from '../../model/keys.js'
import type { SdkPort, VerificationPort } from '../../sdk/port.js'
import { PRIVATE_KEY, PUBLIC_KEY, checkPrivateKey, checkPublicKey, checkSignature, checkText } from './arguments.js'
import { callSdk } from './crypto-failure.js'

/** A message with the signature of an address. */
export interface SignedMessage {
  readonly address: string
  readonly message: string
  /** 64 bytes, hex. */
  readonly signature: string
}

/** Signs a message as Kaspa wallets do. */
export function signMessage(sdk: SdkPort, message: string, privateKeyHex: string): SignMessageResult {
  const text = checkText('signMessage', 'message', message)
  const key = checkPrivateKey('signMessage', privateKeyHex)
  const sign = (): SignMessageResult => ({
    message: text,
    signature: sdk.signMessage(text, key),
    publicKeyHex: sdk.publicKey(key).compressed,
  })
  return callSdk('signMessage', sign, PRIVATE_KEY)
}

export function verifyMessage(
  sdk: Pick<VerificationPort, 'verifyMessage'>,
  message: string,
  signature: string,
  publicKeyHex: string,
): boolean {
  const text = checkText('verifyMessage', 'message', message)
  const proof = checkSignature('verifyMessage', signature)
  const key = checkPublicKey('verifyMessage', publicKeyHex)
  return callSdk('verifyMessage', () => sdk.verifyMessage(text, proof, key), PUBLIC_KEY)
}
