import type { HttpRequest } from '../../http.js'
import type { Indexer } from '../indexer.js'
import { refuse, type Reply } from './reply.js'
import type { Route } from './route.js'
import { trimEnd } from '../../../model/trim-end.js'

interface Match {
  readonly route: Route
  readonly pathParams: Readonly<Record<string, string>>
}

/**
 * Calls the first route that matches path and method. If only the path matches, replies 405 with the method of the
 * first match; if the path matches with or without a trailing slash, redirects to it; else 404.
 */
export function createRouter(routes: readonly Route[]): (request: HttpRequest, indexer: Indexer) => Reply {
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
