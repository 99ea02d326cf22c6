import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { requestRefusal } from '../../model/request-check.js'
import type { HttpHandler, HttpRequest, HttpResponse } from '../http.js'
import { listen, stopListening, type ListenAddress, rulesOf, trackSockets } from './listen.js'

export interface HttpServer {
  readonly port: number
  /** Ends every connection and stops listening. */
  close(): Promise<void>
}

/** Longer requests get status 413. */
const MAX_BODY = 16 * 2 ** 20

/**
 * Serves `handler` over HTTP to clients other than browsers, and to pages from loopback, `host` or `origins`.
 * Rejects with `ChainError` (`invalid-option`) if it cannot listen.
 */
export async function openHttpServer(address: ListenAddress, handler: HttpHandler): Promise<HttpServer> {
  const http = createServer((incoming, outgoing) => {
    void serve(incoming, address, handler).then((response) => write(outgoing, response))
  })
  const sockets = trackSockets(http)
  const port = await listen(http, address)
  return {
    port,
    async close() {
      const stopped = stopListening(http)
      sockets.destroyAll()
      await stopped
    },
  }
}

async function serve(incoming: IncomingMessage, address: ListenAddress, handler: HttpHandler): Promise<HttpResponse> {
  if (requestRefusal(incoming, rulesOf(address)) !== undefined) {
    return toJson(
      403,
      'Pages may use a devnode only from loopback, from the host that it listens on, or from its `origins`',
    )
  }
  try {
    const request = await readRequest(incoming)
    return request === 'too long' ? toJson(413, `A body may have ${MAX_BODY} bytes at most`) : await handler(request)
  } catch (cause) {
    if (cause instanceof URIError) return toJson(400, 'The percent-encoding of the path is invalid')
    return toJson(500, `Devnode failed: ${String(cause)}`)
  }
}

async function readRequest(incoming: IncomingMessage): Promise<HttpRequest | 'too long'> {
  const chunks: Buffer[] = []
  let length = 0
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length
    if (length > MAX_BODY) return 'too long'
    chunks.push(chunk)
  }
  const url = toUrl(incoming.url ?? '/')
  return {
    method: incoming.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers: Object.fromEntries(Object.entries(incoming.headers).map(([name, value]) => [name, value?.toString()])),
    body: Buffer.concat(chunks).toString('utf8'),
  }
}

/** Prefixing the origin keeps a path that begins with two slashes from being parsed as a host. */
const toUrl = (target: string): URL =>
  target.startsWith('/') ? new URL(`http://devnode${target}`) : new URL(target, 'http://devnode')

const toJson = (status: number, message: string): HttpResponse => ({
  status,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ error: { message } }),
})

function write(outgoing: ServerResponse, { status, headers, body }: HttpResponse): void {
  const isCompressed = body !== undefined && headers?.['content-encoding'] === 'gzip'
  outgoing.writeHead(status, { ...headers }).end(isCompressed ? gzipSync(body) : body)
}
