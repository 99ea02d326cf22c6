import type { HttpHandler, HttpRequest, HttpResponse } from '../../http.js'
import { INTERNAL_ERROR, Refusal, cacheFor, toResponse, type Reply } from './reply.js'

/** The most bytes that the server reads of a body. */
const MAX_BODY = 200_000

/** What is common to all routes: CORS, sizes, the cache control of whatever has none, and the answer to its own failures. */
export function frame(answer: (request: HttpRequest) => Reply): HttpHandler {
  return (request) => {
    const preflight = toPreflight(request)
    if (preflight !== undefined) return preflight
    const reply = checkSize(request) ?? answerOrRefuse(request, answer)
    const response = toResponse(reply)
    if (reply === INTERNAL_ERROR) return response
    const cache = isReading(request) ? cacheFor(8) : {}
    const headers = compress(request, response, { ...cache, ...response.headers, ...corsOf(request) })
    return request.method === 'HEAD' ? { status: response.status, headers } : { ...response, headers }
  }
}

const isReading = ({ method }: HttpRequest): boolean => method === 'GET' || method === 'HEAD'

function answerOrRefuse(request: HttpRequest, answer: (request: HttpRequest) => Reply): Reply {
  try {
    return answer(request)
  } catch (error) {
    if (error instanceof Refusal) return error.reply
    throw error
  }
}

/** A body without a length is not read, nor is one that is too long. */
function checkSize({ method, headers, body }: HttpRequest): Reply | undefined {
  if (method !== 'POST') return undefined
  if (headers['content-length'] === undefined) return { status: 411 }
  return new TextEncoder().encode(body).length > MAX_BODY ? { status: 413 } : undefined
}

const EXPOSED = 'X-Data-Source, X-Page-Count, X-Next-Page-After, X-Next-Page-Before'

/** Any page may read; one that sends cookies is named. */
function corsOf({ headers: { origin, cookie } }: HttpRequest): HeaderRecord {
  if (origin === undefined) return {}
  const shared = { 'access-control-allow-credentials': 'true', 'access-control-expose-headers': EXPOSED }
  if (cookie === undefined) return { 'access-control-allow-origin': '*', ...shared }
  return { 'access-control-allow-origin': origin, ...shared, vary: 'Origin' }
}

/** From this length on (bytes), bodies are compressed for those who ask for it. */
const WORTH_COMPRESSING = 500

function compress({ headers }: HttpRequest, { body = '' }: HttpResponse, about: HeaderRecord): HeaderRecord {
  const isAsked = headers['accept-encoding']?.includes('gzip') === true
  if (!isAsked || new TextEncoder().encode(body).length < WORTH_COMPRESSING) return about
  const vary = [about.vary, 'Accept-Encoding'].filter(Boolean).join(', ')
  return { ...about, 'content-encoding': 'gzip', vary }
}

type HeaderRecord = Readonly<Record<string, string>>

/** Whatever a page asks leave for, on whatever path, it gets. */
function toPreflight({ method, headers }: HttpRequest): HttpResponse | undefined {
  const { origin, 'access-control-request-method': wanted, 'access-control-request-headers': named } = headers
  if (method !== 'OPTIONS' || origin === undefined || wanted === undefined) return undefined
  return {
    status: 200,
    headers: {
      vary: 'Origin',
      'access-control-allow-methods': 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT',
      'access-control-max-age': '600',
      'access-control-allow-credentials': 'true',
      'access-control-allow-origin': origin,
      ...(named !== undefined && { 'access-control-allow-headers': named }),
      'content-type': 'text/plain; charset=utf-8',
    },
    body: 'OK',
  }
}
