import { ChainError } from '../../errors/chain-error.js'
import type { Devnode } from '../devnode.js'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http.js'
import { parseBody } from './body.js'
import { faultRoutes } from './fault-routes.js'
import type { Route } from './route.js'
import { truthRoutes } from './truth-routes.js'
import { verbRoutes } from './verb-routes.js'

/**
 * The devnode's verbs over HTTP and JSON, for tests in a browser or in another language.
 * An error is `{ error: { message, argument?, hint? } }`: 400 for what cannot be done, 404 and 405 for what is not there.
 */
export function createControl(devnode: Devnode): HttpHandler {
  return async (request) => {
    const response = request.method === 'OPTIONS' ? { status: 204 } : await run(devnode, request)
    return { ...response, headers: { ...response.headers, ...corsHeaders(request) } }
  }
}

const ROUTES: readonly Route[] = [
  { method: 'GET', path: '/', about: 'This list.', run: () => ({ routes: ROUTES.map(toListed) }) },
  ...verbRoutes,
  ...faultRoutes,
  ...truthRoutes,
]

const toListed = ({ method, path, about }: Route) => ({ method, path, about })

async function run(devnode: Devnode, { method, path, query, body }: HttpRequest): Promise<HttpResponse> {
  const there = ROUTES.map((route) => ({ route, name: match(route, path) })).filter(({ name }) => name !== undefined)
  const found = there.find(({ route }) => route.method === method)
  if (there.length === 0) return failure(404, `There is no ${path}`, undefined, 'GET / lists what there is.')
  if (found === undefined) return failure(405, `${path} does not take ${method}`)
  try {
    const result = await found.route.run({ devnode, body: parseBody(body), query, name: found.name ?? '' })
    return toJson(200, result)
  } catch (error) {
    if (error instanceof ChainError) return failure(400, error.message, error.argument, error.hint)
    throw error
  }
}

/** What stands for `:name`; empty where the route has none; undefined where the path is another one's. */
function match({ path: pattern }: Route, path: string): string | undefined {
  if (!pattern.endsWith('/:name')) return path === pattern ? '' : undefined
  const stem = pattern.slice(0, -':name'.length)
  const rest = path.startsWith(stem) ? path.slice(stem.length) : ''
  return rest === '' || rest.includes('/') ? undefined : decodeURIComponent(rest)
}

const failure = (status: number, message: string, argument?: string, hint?: string): HttpResponse =>
  toJson(status, { error: { message, argument, hint } })

const toJson = (status: number, value: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)),
})

/** The server has let the origin in; the browser has to know. */
function corsHeaders({ headers }: HttpRequest): Record<string, string> {
  if (headers.origin === undefined) return {}
  return {
    vary: 'origin',
    'access-control-allow-origin': headers.origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'content-type',
  }
}
