import { schnorr } from '@noble/curves/secp256k1.js'
import { fromHex, toHex, isHex } from '../../model/hex.js'
import { withSecretBytes } from '../../model/secret-bytes.js'
import type { PaymentPayload } from '@x402/core/types'
import { isRecord, toStableJson } from '../../model/lossless-json.js'
import { ENCODING, PROFILE } from './offer.js'
import { invalidArgument } from '../../errors/chain-error.js'
import { sha256 } from '@noble/hashes/sha2.js'

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

/** The extension that names a payment. */
export const PAYMENT_IDENTIFIER = 'payment-identifier'

/** The part of a payment that the binding defines. */
export interface ExactPayload {
  readonly type: 'exact-transaction'
  readonly profile: typeof PROFILE
  /** The transaction as JSON text. */
  readonly transaction: string
  readonly transactionEncoding: typeof ENCODING
  readonly paymentOutputIndex: number
  readonly requestHash: string
  readonly authorization: Binding
}

/** What a payment of a stranger says, in its form; undefined where it is not of this binding. */
export function readPayload(
  payment: PaymentPayload,
): (ExactPayload & { readonly paymentIdentifier: string }) | undefined {
  const { payload } = payment
  if (!isRecord(payload)) return undefined
  const { type, profile, transaction, transactionEncoding, paymentOutputIndex, requestHash } = payload
  const authorization = readBinding(payload.authorization)
  const paymentIdentifier = readIdentifier(payment.extensions)
  if (type !== 'exact-transaction' || profile !== PROFILE || transactionEncoding !== ENCODING) return undefined
  if (payload.challengeId !== undefined || typeof transaction !== 'string') return undefined
  if (paymentOutputIndex !== 0 && paymentOutputIndex !== 1) return undefined
  if (!isHex(requestHash, 32) || authorization === undefined || paymentIdentifier === undefined) return undefined
  return {
    type,
    profile,
    transaction,
    transactionEncoding,
    paymentOutputIndex,
    requestHash,
    authorization,
    paymentIdentifier,
  }
}

function readBinding(given: unknown): Binding | undefined {
  if (!isRecord(given)) return undefined
  const { version, inputIndex, expiresAt, digest, signature } = given
  if (version !== BINDING_VERSION || typeof inputIndex !== 'number' || !Number.isSafeInteger(inputIndex))
    return undefined
  if (typeof expiresAt !== 'string' || !ISO.test(expiresAt) || Number.isNaN(Date.parse(expiresAt))) return undefined
  if (!isHex(digest, 32) || !isHex(signature, 64)) return undefined
  return { version, inputIndex, expiresAt, digest, signature }
}

function readIdentifier(extensions: unknown): string | undefined {
  if (!isRecord(extensions)) return undefined
  const extension = extensions[PAYMENT_IDENTIFIER]
  const info = isRecord(extension) ? extension.info : undefined
  const id = isRecord(info) ? info.id : undefined
  return typeof id === 'string' && IDENTIFIER.test(id) ? id : undefined
}

const IDENTIFIER = /^[\w-]{16,128}$/
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?Z$/

/** The request that a payment is for. */
export interface BoundRequest {
  readonly method: string
  /** Absolute. */
  readonly url: string
  readonly body?: Uint8Array | string | undefined
}

/**
 * The hash of a request and the terms of its payment, hex: what the payer signs, and what the server computes by
 * itself. Method in upper case, URL without fragment in the form of WHATWG, body as text, or its SHA-256 where it is no
 * UTF-8. Throws `ChainError` (`invalid-argument`) for a URL that is not absolute.
 */
export function requestHash({ method, url, body }: BoundRequest, requirements: unknown): string {
  return digestOf({
    method: method.toUpperCase(),
    url: normalizeUrl(url),
    body: toBody(body),
    paymentRequirementsHash: digestOf(requirements),
  })
}

function normalizeUrl(text: string): string {
  if (!URL.canParse(text)) throw invalidArgument('url', 'The URL of the request is not absolute')
  const url = new URL(text)
  url.hash = ''
  return url.href
}

function toBody(body: Uint8Array | string | undefined): unknown {
  if (body === undefined || body.length === 0) return null
  if (typeof body === 'string') return body
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body)
  const isText = !text.includes('\ufffd')
  return isText ? text : { sha256: toHex(sha256(body)) }
}

/** SHA-256 of a value as canonical JSON, hex. Throws `TypeError` for what is no JSON. */
export const digestOf = (value: unknown): string => toHex(sha256(new TextEncoder().encode(toStableJson(value))))
