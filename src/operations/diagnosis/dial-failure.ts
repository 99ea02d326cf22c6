import { wordsOf } from './results.js'

/** Why a socket could not be opened, as far as the environment says: browsers say nothing (`opaque`). */
export type DialFailure =
  | { readonly kind: 'refused' | 'unknown-host' | 'unreachable' | 'no-response' }
  /**
   * TCP works: an HTTP server rejected the upgrade, something else spoke, TLS failed, or the peer closed the
   * connection.
   */
  | { readonly kind: 'http'; readonly status: number }
  | { readonly kind: 'not-http' | 'tls' | 'closed' }
  | { readonly kind: 'opaque' }

const KINDS = {
  ECONNREFUSED: 'refused',
  ENOTFOUND: 'unknown-host',
  EAI_AGAIN: 'unknown-host',
  EHOSTUNREACH: 'unreachable',
  ENETUNREACH: 'unreachable',
  ETIMEDOUT: 'unreachable',
  ECONNRESET: 'closed',
  EPIPE: 'closed',
} as const

/** Classifies the failure of a dial by the codes and words of Node and of `ws`. */
export function toDialFailure(error: unknown): DialFailure {
  const code = codeOf(error)
  const words = wordsOf(error)
  const status = /Unexpected server response: (\d{3})/.exec(words)?.[1]
  if (status !== undefined) return { kind: 'http', status: Number(status) }
  if (/CERT|TLS|SSL|EPROTO|ALTNAME/.test(code)) return { kind: 'tls' }
  if (code.startsWith('HPE_') || words.includes('Parse Error')) return { kind: 'not-http' }
  if (isKnown(code)) return { kind: KINDS[code] }
  return words.includes('socket hang up') ? { kind: 'closed' } : { kind: 'opaque' }
}

const isKnown = (code: string): code is keyof typeof KINDS => Object.hasOwn(KINDS, code)

/** The innermost error code; '' without one. A host with several addresses fails with an `AggregateError`. */
function codeOf(error: unknown): string {
  if (typeof error !== 'object' || error === null) return ''
  const { cause, errors, code } = error as { cause?: unknown; errors?: unknown; code?: unknown }
  const inner = codeOf(cause) || (Array.isArray(errors) ? codeOf(errors[0]) : '')
  return inner || (typeof code === 'string' && /^[A-Z][A-Z\d_]+$/.test(code) ? code : '')
}
