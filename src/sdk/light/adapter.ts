import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { NEVER } from 'rxjs'
import { toHex } from '../../model/hex.js'
import { takeSecretHex, withSecretBytes } from '../../model/secret-bytes.js'
import { checkedPort } from '../checked-port.js'
import type { SdkPort } from '../port.js'
import { derivePrivateKey, derivePublicKeys } from './derivation.js'
import { addressOf, signMessage, verifyMessage } from './message.js'
import { generateMnemonic, isValidMnemonic } from './mnemonic.js'
import { signHashes } from './sign-hashes.js'
import { createSignInWorkers } from './sign-in-workers.js'

/** The port on @noble/curves, @noble/hashes, @scure/bip32 and @scure/bip39, without WASM. It cannot panic. */
export const createLightPort = (): SdkPort =>
  checkedPort({
    generateMnemonic,
    isValidMnemonic,
    generatePrivateKey: () => takeSecretHex(schnorr.utils.randomSecretKey()),
    derivePrivateKey,
    derivePublicKeys,
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
