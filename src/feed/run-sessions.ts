import { BehaviorSubject, type SchedulerLike, interval, type Subscription } from 'rxjs'
import type { Pause } from '../loading/pause.js'
import type { ChainLogger } from '../platform/port.js'
import { keepRunning } from './keep-running.js'
import type { FeedOptions } from './options.js'
import { INITIAL_STATUS, reduceStatus, type FeedEvent, type FeedStatus } from './status.js'
import { LagMeter } from './lag.js'

/** How often lag is measured while no block comes, in ms. */
const INTERVAL = 1_000

/** The status of a feed, and what changes it. */
export interface FeedProgress {
  readonly status$: BehaviorSubject<FeedStatus>
  readonly emit: (event: FeedEvent) => void
}

export function createProgress(): FeedProgress {
  const status$ = new BehaviorSubject(INITIAL_STATUS)
  return {
    status$,
    emit(event) {
      const next = reduceStatus(status$.value, event)
      if (next !== status$.value) status$.next(next)
    },
  }
}

export interface SessionsOptions extends Pick<FeedOptions, 'engine' | 'minConfirmations'> {
  readonly signal: AbortSignal
  readonly logger: Pick<ChainLogger, 'warn'>
  readonly pause?: Pause | undefined
  readonly scheduler: SchedulerLike
}

/** What a session reports. */
export interface SessionReports {
  readonly onWait: (what: 'connection' | 'lease') => void
  /** Called with the blue score up to which nothing is missing. */
  readonly onPosition: (blueScore: bigint | null) => void
}

/** Runs one session with a sink after the other, and shows status and lag. Rejects as `keepRunning`. */
export async function runSessions(
  { status$, emit }: FeedProgress,
  { engine, minConfirmations, scheduler, ...running }: SessionsOptions,
  session: (reports: SessionReports) => Promise<void>,
): Promise<void> {
  let position: bigint | null = null // of the session; between sessions the stored one
  const lag = followLag(
    { engine, minConfirmations, emit },
    () => (status$.value.phase === 'running' ? position : status$.value.blueScore),
    scheduler,
  )
  const onDropped = (reason: string): void => emit({ type: 'lost', reason })
  const onWait = (what: 'connection' | 'lease'): void => emit({ type: 'waiting', what })
  const onPosition = (blueScore: bigint | null): void => void (position = blueScore)
  try {
    await keepRunning({ ...running, peer: 'sink', onDropped }, () => {
      onWait('connection')
      return session({ onWait, onPosition })
    })
  } finally {
    lag.unsubscribe()
    emit({ type: 'stopped' })
  }
}

/**
 * Reports how far a position is behind the sink of the node: with each new sink, and every second of a monotonic clock.
 */
function followLag(
  {
    engine,
    minConfirmations,
    emit,
  }: Pick<FeedOptions, 'engine' | 'minConfirmations'> & { readonly emit: (event: FeedEvent) => void },
  position: () => bigint | null,
  scheduler: SchedulerLike,
): Subscription {
  const meter = new LagMeter(BigInt(minConfirmations))
  const measure = (): void => emit({ type: 'lag-measured', ...meter.measure(position(), scheduler.now()) })
  const subscription = engine.sinkBlueScore$.subscribe((score) => {
    meter.see(score, scheduler.now())
    measure()
  })
  subscription.add(interval(INTERVAL, scheduler).subscribe(measure))
  return subscription
}
