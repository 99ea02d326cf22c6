import { fromBase64, toBase64 } from '../../model/base64.js'
import type { StoredResponse } from '../settlement/payment.js'
import type { RequestOutcome } from './request-scope.js'

/** Bytes of a stored response, at most. */
const MAX_RESPONSE = 262_144

/** Seconds after which a client presents a pending payment again. */
export const RETRY_AFTER = 2

/** Headers of one connection, and those that are set again. */
const NOT_STORED = new Set(['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding', 'set-cookie'])

/**
 * A response as the store keeps it; null where it is too large, undefined for a failure of the server, whose payment
 * has to be recovered.
 */
export function toStored(
  status: number,
  headers: Iterable<readonly [string, string]>,
  body: Uint8Array,
): StoredResponse | null | undefined {
  if (status >= 500) return undefined
  if (body.length > MAX_RESPONSE) return null
  const kept = [...headers].filter(([name]) => !NOT_STORED.has(name.toLowerCase()))
  return { status, headers: Object.fromEntries(kept), body: toBase64(body) }
}

/** What is sent in place of the response of the upstream middleware; undefined where that is sent as it is. */
export function replacementOf(outcome: RequestOutcome):
  | {
      readonly status: number
      readonly headers: Readonly<Record<string, string>>
      readonly body: Uint8Array | undefined
    }
  | undefined {
  switch (outcome.type) {
    case 'replay': {
      const { status, headers, body } = outcome.response
      return { status, headers, body: fromBase64(body) }
    }
    case 'pending':
      return { status: 503, headers: { 'retry-after': String(RETRY_AFTER) }, body: undefined }
    case 'none':
    case 'serving':
      return undefined
  }
}
