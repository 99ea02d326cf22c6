import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey } from '../../model/address.js'
import { blake2bKeyed } from '../../model/hashing.js'
import { fromHex, toHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { withSecretBytes } from '../../model/secret-bytes.js'
import { generateMnemonic as generate, mnemonicToSeedSync, validateMnemonic } from '@scure/bip39'
import { wordlist } from '@scure/bip39/wordlists/english.js'
import type { MnemonicSecret, VerificationPort } from '../port.js'
import { checkedVerification, checkedVerifyMessage } from '../checked-port.js'

/** Signs with fresh randomness; the library verifies each signature before it returns it. */
export const signMessage = (message: string, privateKey: string): string =>
  withSecretBytes(privateKey, (key) => toHex(schnorr.sign(digestOf(message), key)))

/** Whether `signature` is valid. Throws for a public key that is not a point of the curve. */
export const verifyMessage = (message: string, signature: string, publicKey: string): boolean =>
  schnorr.verify(fromHex(signature), digestOf(message), checkPoint(publicKey))

/** The Schnorr address of a public key. Throws for a public key that is not a point of the curve. */
export const addressOf = (publicKey: string, network: ChainNetwork): string =>
  addressOfPublicKey(toHex(checkPoint(publicKey)), NETWORKS[network].addressPrefix)

const digestOf = (message: string): Uint8Array =>
  blake2bKeyed('PersonalMessageSigningHash', new TextEncoder().encode(message))

/** The x coordinate of a public key, compressed or x-only. Throws where it is not on the curve. */
function checkPoint(publicKey: string): Uint8Array {
  const compressed = publicKey.length === 64 ? `02${publicKey}` : publicKey
  try {
    return secp256k1.Point.fromBytes(fromHex(compressed)).toBytes(true).subarray(1)
  } catch {
    // without the library's error, which may quote the key
    throw new Error('The public key is not a point of secp256k1')
  }
}

export const generateMnemonic = (wordCount: 12 | 24): string => generate(wordlist, wordCount === 12 ? 128 : 256)

export const isValidMnemonic = (phrase: string): boolean => validateMnemonic(phrase, wordlist)

/** The seed of a mnemonic whose checksum was checked. */
export const toSeed = ({ phrase, passphrase }: MnemonicSecret): Uint8Array => mnemonicToSeedSync(phrase, passphrase)

/** The functions that need no secret, without WASM. */
export const verificationPort: VerificationPort = /*#__PURE__*/ checkedVerification({
  isValidMnemonic,
  address: addressOf,
  verifyMessage,
})

/** The verification of messages alone: half the size, without the word list. */
export const messagePort: Pick<VerificationPort, 'verifyMessage'> = /*#__PURE__*/ (() => ({
  verifyMessage: checkedVerifyMessage(verifyMessage),
}))()
