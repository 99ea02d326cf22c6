import { interval, type SchedulerLike, type Subscription } from 'rxjs'
import { LagMeter } from './lag.js'
import type { FeedOptions } from './options.js'
import type { FeedEvent } from './status.js'

/** How often lag is measured while no block comes, in ms. */
const INTERVAL = 1_000

/**
 * Reports how far a position is behind the sink of the node: with each new sink, and every second of a monotonic clock.
 */
export function followLag(
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
