import { schnorr } from '@noble/curves/secp256k1.js'
import { fromHex, toHex } from '../../model/hex.js'
import { withSecretBytes } from '../../model/secret-bytes.js'
import { digestOf } from './digest.js'

/** The domain of what a payer signs, as of kaspa-x402 after its release candidate 2. */
export const BINDING_VERSION: Binding['version'] = 'kaspa-x402-exact-request-authorization-v2'

/** What a payer's signature binds: one transaction to one request. */
export interface BindingFields {
  /** `kaspa:` and the network. */
  readonly network: string
  readonly profile: 'standard-native'
  readonly transactionId: string
  /** The output that pays. */
  readonly paymentOutputIndex: number
  /** Sompi, decimal. */
  readonly amount: string
  readonly payTo: string
  /** The version, two bytes, and the script; hex. */
  readonly payToScriptPublicKey: string
  readonly paymentRequirementsHash: string
  readonly requestHash: string
  /** The payer's name of the payment: the extension `payment-identifier`. */
  readonly paymentIdentifier: string
  /** The input whose key signs. */
  readonly inputIndex: number
  /** ISO 8601, UTC. */
  readonly expiresAt: string
}

/** The signature of a payer, as a payment carries it. */
export interface Binding {
  readonly version: 'kaspa-x402-exact-request-authorization-v2'
  readonly inputIndex: number
  readonly expiresAt: string
  readonly digest: string
  readonly signature: string
}

/** SHA-256 of the canonical JSON of the fields and their domain, hex. */
export const bindingDigest = (fields: BindingFields): string =>
  digestOf({ ...pick(fields), challengeId: null, scope: BINDING_VERSION })

/**
 * Signs that a transaction pays one request, with the key (32 bytes, hex) of one of its inputs. Hashes the fields with
 * the domain of the draft itself: no 32 bytes of a caller's choice are signed, which could be a sighash. Throws
 * `ChainError` (`invalid-argument`) for a key that is no hex; no error quotes it.
 */
export function signBinding(fields: BindingFields, privateKey: string): Binding {
  const digest = bindingDigest(fields)
  const signature = withSecretBytes(privateKey, (key) => toHex(schnorr.sign(fromHex(digest), key)))
  const { inputIndex, expiresAt } = fields
  return { version: BINDING_VERSION, inputIndex, expiresAt, digest, signature }
}

/** Whether the signature is that of the public key (32 bytes x-only, hex) over these fields. */
export function isBoundBy(binding: Binding, fields: BindingFields, publicKey: string): boolean {
  const digest = bindingDigest(fields)
  return binding.digest === digest && schnorr.verify(fromHex(binding.signature), fromHex(digest), fromHex(publicKey))
}

/** Without other fields, which would enter the hash. */
const pick = (fields: BindingFields): BindingFields => ({
  network: fields.network,
  profile: fields.profile,
  transactionId: fields.transactionId,
  paymentOutputIndex: fields.paymentOutputIndex,
  amount: fields.amount,
  payTo: fields.payTo,
  payToScriptPublicKey: fields.payToScriptPublicKey,
  paymentRequirementsHash: fields.paymentRequirementsHash,
  requestHash: fields.requestHash,
  paymentIdentifier: fields.paymentIdentifier,
  inputIndex: fields.inputIndex,
  expiresAt: fields.expiresAt,
})
