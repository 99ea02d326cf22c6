import { schnorr } from '@noble/curves/secp256k1.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { addressOfPublicKey } from '../../model/address.js'
import { isHex, toHex } from '../../model/hex.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import { withSecretBytes } from '../../model/secret-bytes.js'
import type { TransactionSigner } from '../../sdk/port.js'
import { signBinding, type Binding, type BindingFields } from '../binding/binding.js'

/** What pays: a key, or whatever has one. */
export interface X402Signer {
  /** A Schnorr address, whose UTXOs are spent and which gets the change. */
  readonly address: string
  /** Signs transactions: keys (32 bytes, hex), or a signer that has them. */
  readonly keysOrSigner: readonly string[] | TransactionSigner
  /** Signs a binding as `signBinding` does. */
  readonly signBinding: (fields: BindingFields) => Binding | Promise<Binding>
}

/** A signer of a private key (32 bytes, hex). Throws `ChainError` (`invalid-argument`); no error quotes the key. */
export function keySigner(privateKey: string, network: ChainNetwork): X402Signer {
  if (!isHex(privateKey, 32))
    throw invalidArgument('privateKey', '"privateKey" is no key of 32 bytes in lower-case hex')
  const publicKey = withSecretBytes(privateKey, (key) => toHex(schnorr.getPublicKey(key)))
  return {
    address: addressOfPublicKey(publicKey, NETWORKS[network].addressPrefix),
    keysOrSigner: [privateKey],
    signBinding: (fields) => signBinding(fields, privateKey),
  }
}
