import type { HttpHandler, HttpRequest, HttpResponse } from '../../http.js'
import { INTERNAL_ERROR, Refusal, cacheFor, toResponse, type Reply } from './reply.js'

/** The server's limit of a body, in bytes. */
const MAX_BODY = 200_000

/** What all routes share: CORS, size limits, default cache headers, compression and the handling of refusals. */
export function applyMiddleware(handle: (request: HttpRequest) => Reply): HttpHandler {
  return (request) => {
    const preflight = toPreflight(request)
    if (preflight !== undefined) return preflight
    const reply = checkSize(request) ?? handleOrRefuse(request, handle)
    const response = toResponse(reply)
    if (reply === INTERNAL_ERROR) return response
    const cache = isRead(request) ? cacheFor(8) : {}
    const headers = compress(request, response, { ...cache, ...response.headers, ...corsOf(request) })
    return request.method === 'HEAD' ? { status: response.status, headers } : { ...response, headers }
  }
}

const isRead = ({ method }: HttpRequest): boolean => method === 'GET' || method === 'HEAD'

function handleOrRefuse(request: HttpRequest, handle: (request: HttpRequest) => Reply): Reply {
  try {
    return handle(request)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

/** A body needs a `content-length` and must not exceed the limit. */
function checkSize({ method, headers, body }: HttpRequest): Reply | undefined {
  if (method !== 'POST') return undefined
  if (headers['content-length'] === undefined) return { status: 411 }
  return new TextEncoder().encode(body).length > MAX_BODY ? { status: 413 } : undefined
}

const EXPOSED_HEADERS = 'X-Data-Source, X-Page-Count, X-Next-Page-After, X-Next-Page-Before'

/** Any origin is allowed; a request with cookies gets its origin instead of `*`. */
function corsOf({ headers: { origin, cookie } }: HttpRequest): HeaderRecord {
  if (origin === undefined) return {}
  const shared = { 'access-control-allow-credentials': 'true', 'access-control-expose-headers': EXPOSED_HEADERS }
  if (cookie === undefined) return { 'access-control-allow-origin': '*', ...shared }
  return { 'access-control-allow-origin': origin, ...shared, vary: 'Origin' }
}

/** Bodies from this length (bytes) are compressed if the client accepts gzip. */
const MIN_COMPRESSED_LENGTH = 500

function compress({ headers }: HttpRequest, { body = '' }: HttpResponse, responseHeaders: HeaderRecord): HeaderRecord {
  const acceptsGzip = headers['accept-encoding']?.includes('gzip') === true
  if (!acceptsGzip || new TextEncoder().encode(body).length < MIN_COMPRESSED_LENGTH) return responseHeaders
  const vary = [responseHeaders.vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  return { ...responseHeaders, 'content-encoding': 'gzip', vary }
}

type HeaderRecord = Readonly<Record<string, string>>

/** Every preflight is allowed, on any path. */
function toPreflight({ method, headers }: HttpRequest): HttpResponse | undefined {
  const {
    origin,
    'access-control-request-method': requestedMethod,
    'access-control-request-headers': requestedHeaders,
  } = headers
  if (method !== 'OPTIONS' || origin === undefined || requestedMethod === undefined) return undefined
  return {
    status: 200,
    headers: {
      vary: 'Origin',
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'access-control-max-age': '600',
      'access-control-allow-credentials': 'true',
      'access-control-allow-origin': origin,
      ...(requestedHeaders !== undefined && { 'access-control-allow-headers': requestedHeaders }),
      'content-type': 'text/plain; charset=utf-8',
    },
    body: 'OK',
  }
}
