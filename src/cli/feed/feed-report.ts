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
import { followHealth$, type FollowHealthOptions, type FeedHealth } from '../../feed/feed-health.js'
import { INITIAL_STATUS, type FeedStatus } from '../../feed/status.js'
import type { ChainLogger } from '../../platform/port.js'

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
