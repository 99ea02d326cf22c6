import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { FeedStatus } from '../../feed/status.js'
import { isLoopbackHost } from '../../model/private-host.js'
import { requestRefusal } from '../../model/request-check.js'
import { toFeedMetrics } from './metrics.js'

export interface StatusServer {
  readonly url: string
  close(): Promise<void>
}

/**
 * Serves `/healthz`: 200 while the feed delivers or stands by, 503 otherwise, with the status as JSON; and `/metrics` in the text format
 * of Prometheus. Not to pages of other sites. Rejects where the port is taken.
 */
export async function serveStatus(
  { host, port }: { readonly host: string; readonly port: number },
  status: () => FeedStatus,
  engineMetrics: () => string,
): Promise<StatusServer> {
  // scrapers reach it by names of their network
  const rules = { host, anyHost: !isLoopbackHost(host), methods: ['GET', 'HEAD'] }
  const server = createServer((request, response) => {
    const { url } = request
    const refusal = requestRefusal(request, rules)
    if (refusal !== undefined) send(response, refusal.status, 'text/plain', `${refusal.reason}\n`)
    else if (url === '/healthz') sendHealth(response, status())
    else if (url === '/metrics')
      send(response, 200, 'text/plain; version=0.0.4', toFeedMetrics(status()) + engineMetrics())
    else send(response, 404, 'text/plain', 'Not found: see /healthz and /metrics\n')
  })
  server.listen(port, host)
  await once(server, 'listening')
  const { port: actual } = server.address() as AddressInfo // a TCP server
  return {
    url: `http://${host}:${actual}`,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

function sendHealth(response: ServerResponse, status: FeedStatus): void {
  const body = JSON.stringify(status, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  send(response, status.phase === 'stopped' ? 503 : 200, 'application/json', `${body}\n`)
}

const send = (response: ServerResponse, code: number, type: string, body: string): void =>
  void response.writeHead(code, { 'content-type': type }).end(body)
