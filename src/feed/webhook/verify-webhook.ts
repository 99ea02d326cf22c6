import { ChainCryptoError } from '../../errors/crypto-error.js'
import { refuseUnknown } from '../../errors/chain-error.js'
import { isEqualText } from '../../model/request-check.js'
import { readSecret, sign } from './signature.js'
import { parseBody, type PaymentWebhook } from './webhook-body.js'

/** The headers of a request: those of Fetch, or Node's. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | Readonly<Record<string, string | readonly string[] | undefined>>

export interface VerifyWebhookOptions {
  /**
   * How far, in ms, the time of the delivery may be from now: an older one may be repeated by a stranger. @default
   * 300_000
   */
  readonly tolerance?: number | undefined
}

/**
 * Resolves to what a webhook says. Rejects with `ChainCryptoError` (`invalid-signature`) where no signature is of a
 * secret, where the time is too far from now, and for a body that was changed; with `invalid-argument` for a secret
 * that is none. `body` is the text or bytes as received, before any JSON is read. `secret`: two of them while they are
 * replaced.
 *
 * In constant time. Uses Web Crypto alone: runs in Node, Workers and browsers.
 */
export async function verifyWebhook(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): Promise<PaymentWebhook> {
  refuseUnknown(options, ['tolerance'])
  const { tolerance = 300_000 } = options
  const keys = [secret].flat().map((one) => readSecret(one))
  const [id, timestamp, signatures] = NAMES.map((name) => headerOf(headers, name))
  if (id === undefined || timestamp === undefined || signatures === undefined || !/^[1-9]\d{0,11}$/.test(timestamp))
    throw invalidSignature('the headers of a webhook are missing')
  if (!(Math.abs(Date.now() - Number(timestamp) * 1_000) <= tolerance))
    throw invalidSignature('the time of the webhook is too far from now')
  const text = typeof body === 'string' ? body : new TextDecoder().decode(body)
  const given = signatures.split(' ').slice(0, MAX_SIGNATURES)
  const isRight = await Promise.all(
    keys.map((key) => sign({ id, timestamp: Number(timestamp), body: text }, key)),
  ).then((expected) =>
    expected.map((one) => given.map((other) => isEqualText(other, one)).includes(true)).includes(true),
  )
  if (!isRight) throw invalidSignature('no signature of the webhook is of the secret')
  return parseBody(text)
}

const NAMES = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const

/** Signatures of a request that are compared: a sender has one for each of two secrets. */
const MAX_SIGNATURES = 10

function headerOf(headers: WebhookHeaders, name: string): string | undefined {
  const value = isFetchHeaders(headers) ? headers.get(name) : headers[name]
  return typeof value === 'string' ? value : undefined
}

const isFetchHeaders = (headers: WebhookHeaders): headers is { get(name: string): string | null } =>
  typeof headers.get === 'function'

const invalidSignature = (reason: string): ChainCryptoError =>
  new ChainCryptoError('verifyWebhook', new Error(reason), {
    code: 'invalid-signature',
    hint: 'Pass the body as it was received, and the secret of createPayments.',
  })
