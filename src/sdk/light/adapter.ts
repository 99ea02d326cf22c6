import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { NEVER } from 'rxjs'
import { toHex } from '../../model/hex.js'
import { takeSecretHex, withSecretBytes } from '../../model/secret-bytes.js'
import { checkedPort } from '../checked-port.js'
import type { SdkPort } from '../port.js'
import { deriveExtendedPublicKey, derivePrivateKey, derivePublicKeys } from './derivation.js'
import { addressOf, signMessage, verifyMessage } from './message.js'
import { generateMnemonic, isValidMnemonic } from './mnemonic.js'
import { signHashes } from './sign-hashes.js'
import { createSignInWorkers } from './sign-in-workers.js'

/**
 * Window of the table of multiples of the base point, in bits. The table is built for the first key, which needs 7
 * multiplications: with the library's default of 6 bits it has 2,080 points, with 4 bits 776, and takes 97 instead of
 * 65 additions for each multiplication. Workers, which sign many inputs, keep the default.
 */
const WINDOW = 4

/** The port on @noble/curves, @noble/hashes, @scure/bip32 and @scure/bip39, without WASM. It cannot panic. */
export function createLightPort(): SdkPort {
  secp256k1.Point.BASE.precompute(WINDOW)
  return checkedPort({
    generateMnemonic,
    isValidMnemonic,
    generatePrivateKey: () => takeSecretHex(schnorr.utils.randomSecretKey()),
    derivePrivateKey,
    derivePublicKeys,
    deriveExtendedPublicKey,
    publicKey: (privateKey) => {
      const compressed = withSecretBytes(privateKey, (key) => toHex(secp256k1.getPublicKey(key, true)))
      return { compressed, xOnly: compressed.slice(2) }
    },
    address: addressOf,
    signHashes,
    signHashesAsync: createSignInWorkers(),
    signMessage,
    verifyMessage,
    broken$: NEVER,
  })
}
