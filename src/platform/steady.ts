import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs'

/** The longest wait, in ms, that a timer can be given: by more than these 24 days it would ring at once, and again and again. */
const LONGEST = 2 ** 31 - 1

/** The runtime's timers, by a clock that only runs forward: the wall clock is set by users and by other machines. */
export const steadyScheduler: SchedulerLike = {
  now: () => performance.now(),
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return asyncScheduler.schedule(work, Math.min(delay, LONGEST), state)
  },
}
