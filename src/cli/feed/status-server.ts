import {
  skipWhile,
  tap,
  type SchedulerLike,
  type Subscription,
  concat,
  interval,
  map,
  of,
  switchMap,
  type Observable,
} from 'rxjs'
import type { Feed } from '../../feed/create-feed.js'
import {
  followHealth$,
  type FollowHealthOptions,
  type FeedHealth,
  type FeedRole,
  FEED_CAUSES,
} from '../../feed/feed-health.js'
import { INITIAL_STATUS, type FeedStatus, feedToPrometheus } from '../../feed/status.js'
import type { ChainLogger } from '../../platform/port.js'
import type { ServerResponse } from 'node:http'
import { isLoopbackHost } from '../../model/ip.js'
import { requestRefusal } from '../../model/request-check.js'
import { serveHttp, type HttpServer } from '../run-service.js'
import { flags, toFamily, type Sample } from '../../model/prometheus.js'

/** How often a state in which nothing is delivered is written again, in ms. */
const INTERVAL = 60_000

/** What a feed does at the moment, and whether it should. */
export interface FeedReport {
  readonly status: FeedStatus
  readonly health: FeedHealth
}

/** The reports of a feed while it runs. */
export interface FeedReports {
  readonly current: () => FeedReport
  readonly end: () => void
}

/** Of a feed that does not run yet. */
export const INITIAL_REPORT: FeedReport = {
  status: INITIAL_STATUS,
  health: { role: 'none', isAlive: false, isReady: false, causes: ['stopped'] },
}

/** Follows status and health of a feed, and writes changes of the health. */
export function followReports(
  feed: Pick<Feed, 'status$'>,
  { engine, leaseTimeout }: Omit<FollowHealthOptions, 'status$'>,
  logger: ChainLogger,
  scheduler: SchedulerLike,
): FeedReports {
  let report = INITIAL_REPORT
  const subscription: Subscription = feed.status$.subscribe((status) => (report = { ...report, status }))
  const health$ = followHealth$({ status$: feed.status$, engine, leaseTimeout }, scheduler).pipe(
    tap((health) => (report = { ...report, health })),
    skipWhile(({ causes }) => causes.includes('stopped')), // before the feed runs
  )
  subscription.add(logHealth(logger, health$, () => report.status, scheduler))
  return { current: () => report, end: () => subscription.unsubscribe() }
}

/** Writes each change of the health as one line, and again once a minute while the feed does not deliver. */
function logHealth(
  logger: ChainLogger,
  health$: Observable<FeedHealth>,
  status: () => FeedStatus,
  scheduler: SchedulerLike,
): Subscription {
  const lines$ = health$.pipe(
    switchMap((health) => {
      const again$ = interval(INTERVAL, scheduler).pipe(map((count) => ({ health, minutes: count + 1 })))
      const first$ = of({ health, minutes: 0 })
      return health.isReady ? first$ : concat(first$, again$)
    }),
  )
  return lines$.subscribe(({ health, minutes }) => {
    const { role, causes, isReady } = health
    const { phase, blueScore, lagSeconds, endpoint, failure } = status()
    if (isReady) logger.info(role === 'active' ? 'The feed delivers' : 'The feed stands by', { role, blueScore })
    else if (causes.length === 0) logger.info('The feed connects', { minutes })
    else
      logger.warn('The feed does not deliver', {
        role,
        causes,
        minutes,
        phase,
        blueScore,
        lagSeconds,
        endpoint,
        failure,
      })
  })
}

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
