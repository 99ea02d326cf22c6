import {
  combineLatest,
  distinctUntilChanged,
  interval,
  map,
  scan,
  startWith,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import type { FeedEngine } from '../options.js'
import type { FeedStatus } from '../status.js'
import type { Observation } from './causes.js'
import { reduceHealth, type FeedHealth, type HealthState } from './reduce-health.js'

export interface FollowHealthOptions {
  readonly status$: Observable<FeedStatus>
  readonly engine: Pick<FeedEngine, 'connection' | 'sinkBlueScore$'>
  /** How long, in ms, a silent instance keeps the lease; null where there is none. */
  readonly leaseTimeout: number | null
}

/** How often it is looked at while nothing changes, in ms. */
const INTERVAL = 1_000

/** The health of a feed: the current one, then changes. A cold observable, which subscribes to the node's sink. */
export function followHealth$(
  { status$, engine, leaseTimeout }: FollowHealthOptions,
  scheduler: SchedulerLike,
): Observable<FeedHealth> {
  return combineLatest({
    status: status$,
    isConnected: engine.connection.state$.pipe(map(({ status }) => status === 'connected')),
    sink: engine.sinkBlueScore$.pipe(startWith(null)),
    tick: interval(INTERVAL, scheduler).pipe(startWith(0)),
  }).pipe(
    map(({ status, isConnected, sink }): Observation => ({
      at: scheduler.now(),
      status,
      isConnected,
      sink,
      leaseTimeout,
    })),
    scan<Observation, HealthState, undefined>((state, now) => reduceHealth(state, now), undefined),
    map(({ health }) => health),
    distinctUntilChanged(),
  )
}
