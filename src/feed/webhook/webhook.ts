import type { PaymentRequestState } from '../../streams/requests/state.js'
import { parseState, type PaymentStateJson, type PaymentEventType, type PaymentMetadata } from '../payments/payment.js'
import { ChainCryptoError } from '../../errors/crypto-error.js'
import { refuseUnknown, invalidArgument } from '../../errors/chain-error.js'
import { isEqualText } from '../../model/request-check.js'
import { fromBase64, toBase64 } from '../../model/base64.js'

/** What a webhook says: a change of a payment request, with the state after it. */
export interface PaymentWebhook {
  readonly type: `payment.${PaymentEventType}`
  /** When the change was stored, in Unix ms. */
  readonly at: number
  /** The id of the request. */
  readonly id: string
  /** 1 for the first change of a request. A receiver ignores a version that is not above the one that it has. */
  readonly version: number
  readonly network: string
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
  readonly metadata: PaymentMetadata | null
  readonly state: PaymentRequestState
}

interface WebhookJson {
  readonly type: PaymentWebhook['type']
  readonly timestamp: string
  readonly data: Pick<PaymentWebhook, 'id' | 'version' | 'network' | 'address' | 'metadata'> & {
    readonly amount: string
    readonly state: PaymentStateJson
  }
}

/** The body of a change: the same text each time, so that a repeated delivery says the same. */
export const toBody = ({ type, at, amount, state, ...data }: WebhookContent): string =>
  JSON.stringify({
    type,
    timestamp: new Date(at).toISOString(),
    data: { ...data, amount: String(amount), state },
  } satisfies WebhookJson)

/** With the state as it is stored. */
export interface WebhookContent extends Omit<PaymentWebhook, 'state'> {
  readonly state: PaymentStateJson
}

/** What a body says whose signature is right. */
function parseBody(body: string): PaymentWebhook {
  const { type, timestamp, data } = JSON.parse(body) as WebhookJson // written by `toBody`
  const { amount, state, ...rest } = data
  return { ...rest, type, at: Date.parse(timestamp), amount: BigInt(amount), state: parseState(state) }
}

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

/** Bytes of a secret, as Standard Webhooks has them. */
const [SHORTEST, LONGEST] = [24, 64]

/** What is signed: Standard Webhooks 1.0. */
interface SignedContent {
  readonly id: string
  /** Unix seconds. */
  readonly timestamp: number
  readonly body: string
}

/**
 * The key of a secret: `whsec_` and 24 to 64 bytes in base64. Throws `ChainError` (`invalid-argument`), which does not
 * repeat the text.
 */
export function readSecret(secret: unknown, argument = 'secret'): Uint8Array<ArrayBuffer> {
  const text = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : ''
  const key = /^[A-Za-z0-9+/]+={0,2}$/.test(text) && text.length % 4 === 0 ? fromBase64(text) : new Uint8Array()
  if (key.length >= SHORTEST && key.length <= LONGEST) return key
  throw invalidArgument(
    argument,
    `"${argument}" is no secret of webhooks`,
    `Pass whsec_ and ${SHORTEST} to ${LONGEST} random bytes in base64: openssl rand -base64 32.`,
  )
}

/** The signature of a content: `v1,` and the HMAC-SHA-256 in base64. By Web Crypto, which browsers and Workers have. */
export async function sign(content: SignedContent, key: Uint8Array<ArrayBuffer>): Promise<string> {
  const { subtle } = globalThis.crypto
  const imported = await subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
  const text = new TextEncoder().encode(`${content.id}.${content.timestamp}.${content.body}`)
  return `v1,${toBase64(new Uint8Array(await subtle.sign('HMAC', imported, text)))}`
}
