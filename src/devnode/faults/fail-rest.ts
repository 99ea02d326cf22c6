import type { HttpResponse } from '../http.js'
import type { FaultKind } from './fault.js'

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
