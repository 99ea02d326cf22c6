import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { onTestFinished } from 'vitest'
import { listen } from '../listen.js'

export interface HttpServer {
  readonly url: string
  /** Method and URL of each request, and its body once it arrived. */
  readonly requests: readonly ReceivedRequest[]
}

export interface ReceivedRequest {
  readonly method: string
  readonly url: string
  readonly headers: IncomingMessage['headers']
}

/** An HTTP server on loopback, closed with the test. */
export async function serveHttp(
  respond: (request: ReceivedRequest, response: ServerResponse) => void,
): Promise<HttpServer> {
  const requests: ReceivedRequest[] = []
  const server = createServer(({ method = '', url = '', headers }, response) => {
    const request = { method, url, headers }
    requests.push(request)
    respond(request, response)
  })
  const { url, close } = await listen(server)
  onTestFinished(close)
  return { url, requests }
}

/** Responds with JSON. */
export const json =
  (body: unknown) =>
  (_: ReceivedRequest, response: ServerResponse): void => {
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  }
