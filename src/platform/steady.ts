import { asyncScheduler, type SchedulerAction, type SchedulerLike, type Subscription } from 'rxjs'

/** The runtime's timers, by a clock that only runs forward: the wall clock is set by users and by other machines. */
export const steadyScheduler: SchedulerLike = {
  now: () => performance.now(),
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay?: number, state?: T): Subscription {
    return asyncScheduler.schedule(work, delay, state)
  },
}
