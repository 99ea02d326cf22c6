import type { DevnodeBase } from '../devnode.js'
import { type Route, parseBody } from './route.js'
import { ChainError } from '../../errors/chain-error.js'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http.js'
import { faultRoutes, methodRoutes } from './change-routes.js'

/** The state of the devnode, and the state that clients are expected to have. */
const expectedRoutes: readonly Route[] = [
  {
    method: 'GET',
    path: '/status',
    about: 'Network, URLs, scores, connections with their subscriptions, open sockets.',
    run: ({ devnode }) => toStatus(devnode),
  },
  {
    method: 'GET',
    path: '/accounts',
    about: 'The funded accounts, keys included.',
    run: ({ devnode }) => ({ accounts: devnode.accounts }),
  },
  {
    method: 'GET',
    path: '/explain/:name',
    about:
      'Where the script of a refused transaction failed: script, position, opcode, stack, units; null for any other.',
    run: ({ devnode, name }) => ({ refused: devnode.explain(name) ?? null }),
  },
  {
    method: 'GET',
    path: '/expected/utxos',
    about: 'The UTXO set of each `address` of the query; without one, the whole set.',
    run: ({ devnode, query }) => ({
      utxos: devnode.expected.utxos(query.has('address') ? query.getAll('address') : undefined),
    }),
  },
  {
    method: 'GET',
    path: '/expected/balances',
    about: 'The balances of each `address` of the query: mature, immature, incoming, in sompi.',
    run: ({ devnode, query }) => ({ balances: devnode.expected.balances(query.getAll('address')) }),
  },
  {
    method: 'GET',
    path: '/expected/accepted',
    about: 'What each chain block accepted, genesis first.',
    run: ({ devnode }) => ({ accepted: devnode.expected.accepted() }),
  },
  {
    method: 'GET',
    path: '/expected/mempool',
    about: 'The ids in the mempool.',
    run: ({ devnode }) => ({ mempool: devnode.expected.mempool() }),
  },
  {
    method: 'GET',
    path: '/expected/chain',
    about: 'The chain blocks, genesis first.',
    run: ({ devnode }) => ({ chain: devnode.expected.chain() }),
  },
  {
    method: 'GET',
    path: '/expected/blocks',
    about: 'All blocks in the order of arrival, genesis first.',
    run: ({ devnode }) => ({ blocks: devnode.expected.blocks() }),
  },
  {
    method: 'GET',
    path: '/expected/events',
    about: 'The number of notifications of each type.',
    run: ({ devnode }) => ({ events: devnode.expected.events() }),
  },
]

const toStatus = (devnode: DevnodeBase) => ({
  network: devnode.network,
  urls: devnode.urls,
  blockInterval: devnode.blockInterval,
  virtualDaaScore: devnode.expected.virtualDaaScore(),
  mempoolSize: devnode.expected.mempool().length,
  connections: devnode.connections(),
  sockets: devnode.sockets(),
})

/**
 * The devnode's methods over HTTP and JSON, for tests in a browser or in another language.
 * An error is `{ error: { message, argument?, hint? } }`: 400 for a failed call, 404 and 405 for an unknown route.
 */
export function createControl(devnode: DevnodeBase): HttpHandler {
  return async (request) => {
    const response = request.method === 'OPTIONS' ? { status: 204 } : await run(devnode, request)
    return { ...response, headers: { ...response.headers, ...corsHeaders(request) } }
  }
}

const ROUTES: readonly Route[] = /*#__PURE__*/ (() => [
  { method: 'GET', path: '/', about: 'This list.', run: () => ({ routes: ROUTES.map(toListed) }) },
  ...methodRoutes,
  ...faultRoutes,
  ...expectedRoutes,
])()

const toListed = ({ method, path, about }: Route) => ({ method, path, about })

async function run(devnode: DevnodeBase, { method, path, query, body }: HttpRequest): Promise<HttpResponse> {
  const matches = ROUTES.map((route) => ({ route, name: match(route, path) })).filter(({ name }) => name !== undefined)
  const found = matches.find(({ route }) => route.method === method)
  if (matches.length === 0) return failure(404, `There is no ${path}`, undefined, 'GET / lists the routes.')
  if (found === undefined) return failure(405, `${path} does not take ${method}`)
  try {
    const result = await found.route.run({ devnode, body: parseBody(body), query, name: found.name ?? '' })
    return toJson(200, result)
  } catch (error) {
    if (error instanceof ChainError) return failure(400, error.message, error.argument, error.hint)
    throw error
  }
}

/** The value of `:name`, empty if the route has none; undefined if the path does not match. */
function match({ path: pattern }: Route, path: string): string | undefined {
  if (!pattern.endsWith('/:name')) return path === pattern ? '' : undefined
  const prefix = pattern.slice(0, -':name'.length)
  const name = path.startsWith(prefix) ? path.slice(prefix.length) : ''
  return name === '' || name.includes('/') ? undefined : decodeURIComponent(name)
}

const failure = (status: number, message: string, argument?: string, hint?: string): HttpResponse =>
  toJson(status, { error: { message, argument, hint } })

const toJson = (status: number, value: unknown): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value, (_, part: unknown) => (typeof part === 'bigint' ? part.toString() : part)),
})

/** The server has already checked the origin. */
function corsHeaders({ headers }: HttpRequest): Record<string, string> {
  if (headers.origin === undefined) return {}
  return {
    vary: 'origin',
    'access-control-allow-origin': headers.origin,
    'access-control-allow-methods': 'GET, POST, DELETE',
    'access-control-allow-headers': 'content-type',
  }
}
