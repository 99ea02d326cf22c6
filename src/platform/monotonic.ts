import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs'

/** The longest delay of a timer, ms. A longer one (24 days) fires at once. */
const MAX_DELAY = 2 ** 31 - 1

/** The runtime's timers with a monotonic clock. The wall clock may jump. */
export const monotonicScheduler: SchedulerLike = {
  now: () => performance.now(),
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return asyncScheduler.schedule(work, Math.min(delay, MAX_DELAY), state)
  },
}
