import {
  createVerification,
  createVerifyMessage,
  type VerificationOperations,
  type VerifyMessage,
} from '../operations/keys/verification.js'
import { messagePort, verificationPort } from '../sdk/light/verification.js'

/** The operations that need no secret, without WASM, whichever SDK is used for keys. */
export const verification: VerificationOperations = /*#__PURE__*/ createVerification(() => verificationPort)

/** The Schnorr address of a public key, compressed or x-only. Throws `ChainCryptoError` (`invalid-key`). */
export const createAddress: VerificationOperations['createAddress'] = (publicKeyHex, network) =>
  verification.createAddress(publicKeyHex, network)

/** Whether `phrase` is 12 or 24 English BIP-39 words with a valid checksum. */
export const isValidMnemonic: VerificationOperations['isValidMnemonic'] = (phrase) =>
  verification.isValidMnemonic(phrase)

/** Whether a message was signed by the key of a Schnorr address, or by a public key. */
export const verifyMessage: VerifyMessage = /*#__PURE__*/ createVerifyMessage(() => messagePort)
