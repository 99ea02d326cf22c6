import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs'
import { LONGEST_TIMER } from '../loading/longest-timer.js'

/** The runtime's timers with a monotonic clock. The wall clock may jump. */
export const monotonicScheduler: SchedulerLike = {
  now: () => performance.now(),
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return asyncScheduler.schedule(work, Math.min(delay, LONGEST_TIMER), state)
  },
}
