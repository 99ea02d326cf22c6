import type { HttpHandler, HttpRequest } from '../http.js'

/** A `fetch` whose responses come from handlers instead of a network. Rejects with `TypeError` where a URL has none. */
export function createMemoryFetch(handlerOf: (url: URL) => HttpHandler | undefined): typeof fetch {
  return async (input, init) => {
    const request = new Request(input, init)
    const handler = handlerOf(new URL(request.url))
    if (handler === undefined) throw new TypeError(`No devnode in memory serves ${request.url}`)
    const { status, headers, body } = await handler(await toHttpRequest(request))
    request.signal.throwIfAborted()
    return new Response(BODILESS.includes(status) ? null : (body ?? null), { status, headers: { ...headers } })
  }
}

/** Statuses whose responses must not have a body. */
const BODILESS: readonly number[] = [101, 204, 205, 304]

/** `Request` does not set the headers that a browser adds while it sends. */
async function toHttpRequest(request: Request): Promise<HttpRequest> {
  const { pathname, searchParams, host } = new URL(request.url)
  const body = await request.text()
  const length = body === '' ? {} : { 'content-length': `${new TextEncoder().encode(body).length}` }
  return {
    method: request.method,
    path: pathname,
    query: searchParams,
    headers: { host, ...length, ...Object.fromEntries(request.headers) },
    body,
  }
}
