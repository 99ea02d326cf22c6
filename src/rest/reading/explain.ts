import { isRecord } from './shape.js'

/** The server explains itself in a text or, for what its framework refused, in a list of `{ loc, msg }`. */
export function toReason(detail: unknown): string | undefined {
  if (typeof detail === 'string') return detail
  if (!Array.isArray(detail)) return undefined
  return detail.map((item) => (isRecord(item) ? `${String(item.loc)}: ${String(item.msg)}` : '')).join('; ')
}

/** What to do about a refusal. */
export function toHint(status: number, detail: unknown): string {
  if (status === 404 && detail === 'Not Found') return 'The server has no such route: check baseUrl.'
  if (status === 404) return 'The indexer does not know it; what was just sent appears once a block includes it.'
  if (status === 413) return 'The question is too long for the server: ask about fewer at a time.'
  if (status === 429) return 'Ask less often, or run an indexer of your own; retryAfter says how long to wait.'
  if (status === 503 && typeof detail === 'string') return 'This server has the endpoint switched off: use another one.'
  if (status >= 500) return 'The indexer or its node failed: try again later.'
  return 'The server refuses the request; body says why.'
}
