// An HTTP server for the other programs of this machine: on loopback, for no page of a browser, with limits.
import { createServer } from 'node:http'
import { requestRefusal } from 'vue-chain/light'
import { parse, stringify } from './json.js'

/** Bytes. */
const MAX_BODY = 65_536

/** How long a request may take to arrive, ms. */
const REQUEST_TIMEOUT = 10_000

/**
 * Serves routes until the signal aborts: `'POST /orders'` and `'GET /orders/:id'` are functions of `{ id, body }` that
 * return what is sent as JSON, with status 201 where a request has created it; nothing is status 404, what they throw
 * is 400. Requests need `Content-Type: application/json` for what they change, and the token where there is one.
 * `files` are sent as they are: a `Map` of paths to `{ headers, body }`. Resolves once it listens.
 */
export async function serve({ port, token, signal, routes, files = new Map() }) {
  const rules = { host: '127.0.0.1', contentType: 'application/json', token }
  const limits = {
    headersTimeout: REQUEST_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: 1_000,
  }
  const server = createServer(limits, async (request, response) => {
    const [status, result, file] = await respond(request, rules, { routes, files })
    // after an error the remaining body is not read
    const headers = file?.headers ?? {
      'content-type': 'application/json',
      ...(status >= 400 && { connection: 'close' }),
    }
    response.writeHead(status, headers).end(file?.body ?? stringify(result))
  })
  const address = { port, host: '127.0.0.1', signal }
  await new Promise((resolve, reject) => server.on('error', reject).listen(address, resolve))
  console.log(`Listening on ${server.address().port}`)
}

/** Never rejects: a broken-off body, bad percent-encoding and bad JSON end the request, not the program. */
async function respond(request, rules, { routes, files }) {
  const refusal = requestRefusal(request, rules)
  if (refusal !== undefined) return [refusal.status, { error: refusal.reason }]
  const file = request.method === 'GET' ? files.get(request.url.split('?', 1)[0]) : undefined
  if (file !== undefined) return [200, undefined, file]
  try {
    const path = request.url.split('?', 1)[0].split('/').slice(1).map(decodeURIComponent)
    const route = findRoute(routes, request.method, path)
    if (route === undefined) return [404, {}]
    const isPost = request.method === 'POST'
    const result = await route.handle({ id: route.id, body: isPost ? await readBody(request) : undefined })
    if (result === null) return [404, {}]
    return [isPost && route.id === undefined ? 201 : 200, result]
  } catch (error) {
    if (error.code === 'not-found') return [404, { error: String(error) }]
    return [error instanceof TooLarge ? 413 : 400, { error: String(error) }]
  }
}

function findRoute(routes, method, path) {
  for (const [route, handle] of Object.entries(routes)) {
    const [wanted, ...segments] = route.split(/ \/|\//)
    const isIt = (segment, at) => (segment === ':id' ? path[at] !== '' : segment === path[at])
    if (wanted !== method || segments.length !== path.length || !segments.every(isIt)) continue
    return { handle, id: path[segments.indexOf(':id')] }
  }
  return undefined
}

class TooLarge extends Error {}

async function readBody(request) {
  const parts = []
  let length = 0
  for await (const part of request) {
    length += part.length
    if (length > MAX_BODY) throw new TooLarge(`A body has at most ${MAX_BODY} bytes`)
    parts.push(part)
  }
  return parse(Buffer.concat(parts).toString())
}
