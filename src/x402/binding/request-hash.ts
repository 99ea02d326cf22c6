import { invalidArgument } from '../../errors/chain-error.js'
import { toHex } from '../../model/hex.js'
import { sha256 } from '@noble/hashes/sha2.js'
import { digestOf } from './digest.js'

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
