// An HTTP server for the other programs of this machine: on loopback, for no page of a browser, with limits.
import { createServer } from 'node:http'
import { requestRefusal } from 'vue-chain/light'
import { parse, stringify } from './json.js'

/** Bytes. */
const MAX_BODY = 65_536

/** How long a request may take to arrive, ms. */
const REQUEST_TIMEOUT = 10_000

/**
 * Serves `handle(method, path, readBody)`, which returns `[status, body]`: `path` is the decoded segments of the URL,
 * `readBody` reads JSON. What it throws is status 400. Requests need `Content-Type: application/json` for what they
 * change, and the token where there is one. Resolves to the server once it listens.
 */
export async function serve({ port, token, handle }) {
  const rules = { host: '127.0.0.1', contentType: 'application/json', token }
  const limits = {
    headersTimeout: REQUEST_TIMEOUT,
    requestTimeout: REQUEST_TIMEOUT,
    connectionsCheckingInterval: 1_000,
  }
  const server = createServer(limits, async (request, response) => {
    const [status, body] = await respond(request, rules, handle)
    // after an error the remaining body is not read
    const headers = { 'content-type': 'application/json', ...(status >= 400 && { connection: 'close' }) }
    response.writeHead(status, headers).end(stringify(body))
  })
  await new Promise((resolve, reject) => server.on('error', reject).listen(port, '127.0.0.1', resolve))
  console.log(`Listening on ${server.address().port}`)
  return server
}

/** Never rejects: a broken-off body, bad percent-encoding and bad JSON end the request, not the program. */
async function respond(request, rules, handle) {
  const refusal = requestRefusal(request, rules)
  if (refusal !== undefined) return [refusal.status, { error: refusal.reason }]
  try {
    const path = request.url.split('?', 1)[0].split('/').slice(1).map(decodeURIComponent)
    return await handle(request.method, path, () => readBody(request))
  } catch (error) {
    return [error instanceof TooLarge ? 413 : 400, { error: String(error) }]
  }
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
