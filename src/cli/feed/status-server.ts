import type { ServerResponse } from 'node:http'
import type { FeedHealth } from '../../feed/health/reduce-health.js'
import { isLoopbackHost } from '../../model/private-host.js'
import { requestRefusal } from '../../model/request-check.js'
import { serveHttp, type HttpServer } from '../serve-http.js'
import type { FeedReport } from './feed-report.js'
import { toFeedMetrics } from './metrics.js'

/**
 * Serves `/healthz`, 503 where a restart helps; `/readyz`, 503 while nothing is delivered that should be, both with
 * role, causes and status as JSON; and `/metrics` in the text format of Prometheus. Not to pages of other sites.
 * Rejects with `ChainError` (`invalid-option`) where the port is taken, or the host is none of this machine.
 */
export function serveStatus(
  address: { readonly host: string; readonly port: number },
  report: () => FeedReport,
  moreMetrics: () => string | Promise<string>,
): Promise<HttpServer> {
  // scrapers reach it by names of their network
  const rules = { host: address.host, anyHost: !isLoopbackHost(address.host), methods: ['GET', 'HEAD'] }
  return serveHttp(address, (request, response) => {
    const { url } = request
    const refusal = requestRefusal(request, rules)
    if (refusal !== undefined) send(response, refusal.status, 'text/plain', `${refusal.reason}\n`)
    else if (url === '/healthz') sendHealth(response, report(), ({ isAlive }) => isAlive)
    else if (url === '/readyz') sendHealth(response, report(), ({ isReady }) => isReady)
    else if (url === '/metrics') void sendMetrics(response, report(), moreMetrics)
    else send(response, 404, 'text/plain', 'Not found: see /healthz, /readyz and /metrics\n')
  })
}

/** 503 where the other metrics cannot be read. */
async function sendMetrics(
  response: ServerResponse,
  report: FeedReport,
  moreMetrics: () => string | Promise<string>,
): Promise<void> {
  try {
    const text = toFeedMetrics(report) + (await moreMetrics())
    send(response, 200, 'text/plain; version=0.0.4', text)
  } catch (error) {
    if (!(error instanceof Error)) throw error
    send(response, 503, 'text/plain', 'The metrics cannot be read\n')
  }
}

function sendHealth(
  response: ServerResponse,
  { status, health }: FeedReport,
  isGood: (health: FeedHealth) => boolean,
): void {
  const { role, isAlive, isReady, causes } = health
  const body = JSON.stringify({ role, isAlive, isReady, causes, ...status }, (_, value: unknown) =>
    typeof value === 'bigint' ? String(value) : value,
  )
  send(response, isGood(health) ? 200 : 503, 'application/json', `${body}\n`)
}

const send = (response: ServerResponse, code: number, type: string, body: string): void =>
  void response.writeHead(code, { 'content-type': type }).end(body)
