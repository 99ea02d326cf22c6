import { skipWhile, tap, type SchedulerLike, type Subscription } from 'rxjs'
import type { Feed } from '../../feed/create-feed.js'
import { followHealth$, type FollowHealthOptions } from '../../feed/health/follow-health.js'
import type { FeedHealth } from '../../feed/health/reduce-health.js'
import { INITIAL_STATUS, type FeedStatus } from '../../feed/status.js'
import type { ChainLogger } from '../../platform/port.js'
import { logHealth } from './log-health.js'

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
