import type { PaymentPayload } from '@x402/core/types'
import { isHex } from '../../model/hex.js'
import { isRecord } from '../../model/lossless-json.js'
import { BINDING_VERSION, type Binding } from './binding.js'
import { ENCODING, PROFILE } from './requirements.js'

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
