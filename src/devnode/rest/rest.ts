import type { HttpHandler, HttpRequest, HttpResponse } from '../http.js'
import type { LiveLedger } from '../live-ledger.js'
import { addressTransactionRoutes } from './endpoints/address-transactions.js'
import { addressRoutes, utxoRoutes } from './endpoints/addresses.js'
import { blockRoutes, virtualChainRoutes } from './endpoints/blocks.js'
import { countRoutes, hashrateRoutes } from './endpoints/statistics.js'
import { healthRoutes, serviceRoutes } from './endpoints/health.js'
import { infoRoutes } from './endpoints/info.js'
import { massRoute, submissionRoute } from './endpoints/submission.js'
import { rankingRoutes } from './endpoints/rankings.js'
import { transactionRoutes } from './endpoints/transactions.js'
import { blockOf, createIndexer, type NodeInfo, createChainIndex, type Indexer } from './indexer.js'
import { INTERNAL_ERROR, Refusal, cacheFor, toResponse, type Reply, refuse } from './http/reply.js'
import type { Route } from './http/route.js'
import { trimEnd } from '../../model/trim-end.js'

/** In the server's order: the first matching route is used. */
const ROUTES = /*#__PURE__*/ (() => [
  ...addressRoutes,
  ...rankingRoutes,
  ...countRoutes,
  ...utxoRoutes,
  ...addressTransactionRoutes,
  submissionRoute,
  massRoute,
  ...transactionRoutes,
  ...blockRoutes,
  ...virtualChainRoutes,
  ...hashrateRoutes,
  ...infoRoutes,
  ...healthRoutes,
])()

/**
 * The indexer's REST API over a ledger: the public server's endpoints with its status codes, headers, limits and
 * quirks, all features enabled. A pure function of the request and the ledger's state, so that RPC and REST are
 * consistent.
 */
export function createRest(live: LiveLedger, nodeInfo: NodeInfo = DEFAULT_NODE_INFO): HttpHandler {
  const { ledger } = live
  const route = createRouter([...ROUTES, ...serviceRoutes(ROUTES)])
  const chainIndex = createChainIndex(ledger, (hash) => blockOf(ledger, hash, false, live.now()))
  return applyMiddleware((request) => route(request, createIndexer(ledger, chainIndex, nodeInfo, live.now())))
}

const DEFAULT_NODE_INFO: NodeInfo = { version: '2.1.0', p2pId: '' }

/** The server's limit of a body, in bytes. */
const MAX_BODY = 200_000

/** What all routes share: CORS, size limits, default cache headers, compression and the handling of refusals. */
function applyMiddleware(handle: (request: HttpRequest) => Reply): HttpHandler {
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

interface Match {
  readonly route: Route
  readonly pathParams: Readonly<Record<string, string>>
}

/**
 * Calls the first route that matches path and method. If only the path matches, replies 405 with the method of the
 * first match; if the path matches with or without a trailing slash, redirects to it; else 404.
 */
function createRouter(routes: readonly Route[]): (request: HttpRequest, indexer: Indexer) => Reply {
  const patterns = routes.map((route) => ({ route, expression: toExpression(route.path) }))

  function matchesOf(path: string): readonly Match[] {
    return patterns.flatMap(({ route, expression }) => {
      const found = expression.exec(decode(path))
      return found === null ? [] : [{ route, pathParams: { ...found.groups } }]
    })
  }

  return (request, indexer) => {
    const matches = matchesOf(request.path)
    const [first] = matches
    const full = matches.find(({ route }) => route.method === request.method)
    if (full !== undefined) return full.route.handle(request, full.pathParams, indexer)
    if (first !== undefined) throw refuse(405, 'Method Not Allowed', { allow: first.route.method })
    const other = request.path.endsWith('/') ? trimEnd(request.path, '/') : `${request.path}/`
    if (request.path === '/' || matchesOf(other).length === 0) throw refuse(404, 'Not Found')
    return { status: 307, headers: { location: toAbsolute(request, other) } }
  }
}

const toExpression = (path: string): RegExp => new RegExp(`^${path.replace(/\{(\w+)\}/g, '(?<$1>[^/]+)')}$`)

function decode(path: string): string {
  try {
    return decodeURIComponent(path)
  } catch (error) {
    if (error instanceof URIError) return path
    throw error
  }
}

/** The server trusts a proxy's header for the scheme, not for the host. */
function toAbsolute({ headers, query }: HttpRequest, path: string): string {
  const search = query.size > 0 ? `?${query.toString()}` : ''
  return `${headers['x-forwarded-proto'] ?? 'http'}://${headers.host ?? '127.0.0.1'}${path}${search}`
}
