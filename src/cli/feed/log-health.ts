import { concat, interval, map, of, switchMap, type Observable, type SchedulerLike, type Subscription } from 'rxjs'
import type { FeedHealth } from '../../feed/health/reduce-health.js'
import type { FeedStatus } from '../../feed/status.js'
import type { ChainLogger } from '../../platform/port.js'

/** How often a state in which nothing is delivered is written again, in ms. */
const INTERVAL = 60_000

/** Writes each change of the health as one line, and again once a minute while the feed does not deliver. */
export function logHealth(
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
