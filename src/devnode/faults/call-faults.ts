import { serverError, textError, type WireError } from '../../wrpc/wire-errors.js'
import type { HttpResponse } from '../http.js'
import type { FaultKind } from './fault.js'

export type FailCallSettings = {
  /** The method that fails; empty: any. */
  readonly method: string
  /** Which call fails first, counted from 1. */
  readonly nth: number
  /**
   * `text`: the method fails with `message`. The others are errors of the node's RPC server; in Borsh they share one
   * form.
   */
  readonly error: 'text' | 'timeout' | 'no-data' | 'not-found' | 'unreadable-request'
  /** The error text; used by `text` only. */
  readonly message: string
}

/** Fails a call without executing it. */
export const failCall: FaultKind<FailCallSettings> = {
  about: 'Fails the n-th call of a method.',
  settings: { method: '', nth: 1, error: 'text', message: 'Injected failure' },
  choices: { error: ['text', 'timeout', 'no-data', 'not-found', 'unreadable-request'] },
  times: 1,
  create({ method, nth, error, message }, context) {
    const wireError: WireError = error === 'text' ? textError(message) : serverError(error)
    let calls = 0
    return {
      call(called) {
        if (method !== '' && called !== method) return undefined
        calls += 1
        if (calls < nth) return undefined
        context.triggered()
        return { kind: 'refuse', error: wireError }
      },
    }
  },
}

export type FailRestSettings = {
  readonly status: number
  /** Prefix of the paths that fail. */
  readonly path: string
  /** `json`: the server's own error format. `html`: a page, as a proxy sends. `empty`: no body. */
  readonly body: 'json' | 'html' | 'empty'
  /** Seconds in a `Retry-After` header; 0: no header. */
  readonly retryAfter: number
}

/** Responds to REST requests with an error. */
export const failRest: FaultKind<FailRestSettings> = {
  about: 'Fails REST requests.',
  settings: { status: 503, path: '/', body: 'json', retryAfter: 0 },
  choices: { body: ['json', 'html', 'empty'] },
  create: (settings, context) => ({
    rest(request) {
      if (!request.path.startsWith(settings.path)) return undefined
      context.triggered()
      return toResponse(settings)
    },
  }),
}

function toResponse({ status, body, retryAfter }: FailRestSettings): HttpResponse {
  const text = `Injected failure ${status}`
  const headers = {
    ...(status !== 500 && { 'access-control-allow-origin': '*' }), // the indexer's own 500 omits it
    ...(retryAfter > 0 && { 'retry-after': `${retryAfter}` }),
    ...(body !== 'empty' && { 'content-type': body === 'html' ? 'text/html' : 'application/json' }),
  }
  if (body === 'empty') return { status, headers }
  const page = `<html><body><h1>${text}</h1></body></html>`
  return { status, headers, body: body === 'html' ? page : JSON.stringify({ detail: text }) }
}

export type BreakSubscribingSettings = {
  /** How many subscriptions succeed before the connection is cut. */
  readonly after: number
}

/** Cuts the connection while its client places its subscriptions. */
export const breakSubscribing: FaultKind<BreakSubscribingSettings> = {
  about: 'Cuts a connection while its client is placing subscriptions.',
  settings: { after: 1 },
  times: 1,
  create({ after }, context) {
    let placed = 0
    return {
      call(method) {
        if (method !== 'subscribe') return undefined
        if (placed < after) {
          placed += 1
          return undefined
        }
        placed = 0
        context.triggered()
        return { kind: 'cut' }
      },
    }
  },
}
