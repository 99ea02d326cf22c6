import { isRecord } from './shape.js'

/** The server's explanation: a text or, for validation errors of its framework, a list of `{ loc, msg }`. */
export function toReason(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  return detail.map((item) => (isRecord(item) ? `${String(item.loc)}: ${String(item.msg)}` : '')).join('; ')
}

export const SWITCHED_OFF = 'The endpoint is switched off on this server: use another server.'

export function toHint(status: number, detail: unknown): string {
  if (status === 404 && detail === 'Not Found') return 'The server has no such route: check baseUrl.'
  if (status === 404) return 'The indexer does not know it; a new transaction appears once a block includes it.'
  if (status === 405) return 'The server does not allow this method on this path: check path and baseUrl.'
  if (status === 413) return 'The request is too long for the server: pass fewer entries per call.'
  if (status === 429) return 'Send fewer requests, or run your own indexer; `retryAfter` is the time to wait in ms.'
  if (status === 503 && typeof detail === 'string') return SWITCHED_OFF
  if (status >= 500) return 'The indexer or its node failed: try again later.'
  return 'The server rejected the request; see `body`.'
}
