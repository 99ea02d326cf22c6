import type { ServerResponse } from 'node:http'
import { type FeedHealth, type FeedRole, FEED_CAUSES } from '../../feed/feed-health.js'
import { isLoopbackHost } from '../../model/ip.js'
import { requestRefusal } from '../../model/request-check.js'
import { serveHttp, type HttpServer } from '../serve-http.js'
import type { FeedReport } from './feed-report.js'
import { feedToPrometheus } from '../../feed/status.js'
import { flags, toFamily, type Sample } from '../../model/prometheus.js'

const ROLES: readonly FeedRole[] = ['active', 'standby', 'none']

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

/** Status and health in the text format of Prometheus (version 0.0.4). What is unknown is left out. */
export function toFeedMetrics({ status, health }: FeedReport): string {
  const gauge = (name: string, help: string, samples: readonly Sample[]): string =>
    toFamily(`vue_chain_feed_${name}`, 'gauge', help, samples)
  const isDelivering = health.isReady && health.role === 'active'
  const roles = flags('role', ROLES, (role) => health.role === role)
  const causes = flags('cause', FEED_CAUSES, (cause) => health.causes.includes(cause))
  const families = [
    gauge('ready', 'Whether the feed delivers or stands by, as /readyz.', [['', Number(health.isReady)]]),
    gauge('delivering', 'Whether it is the instance that delivers, and does.', [['', Number(isDelivering)]]),
    gauge('role', 'Whether it is the instance that delivers.', roles),
    gauge('cause', 'Why nothing is delivered.', causes),
  ]
  return `${families.join('\n')}\n${feedToPrometheus(status)}`
}
