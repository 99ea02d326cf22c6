import type { SchedulerLike } from 'rxjs'

/** The timers of a devnode, in milliseconds of a monotonic clock. */
export interface Timers {
  now(): number
  /** Runs `work` once after `delay` ms; the result cancels it. */
  after(delay: number, work: () => void): () => void
}

/** The runtime's timers. */
export const systemTimers: Timers = {
  now: () => performance.now(),
  after(delay, work) {
    const timer = setTimeout(work, delay)
    return () => clearTimeout(timer)
  },
}

/** The timers of an RxJS scheduler, which may be virtual. */
export const createTimers = (scheduler: SchedulerLike): Timers => ({
  now: () => scheduler.now(),
  after(delay, work) {
    const action = scheduler.schedule(work, delay)
    return () => action.unsubscribe()
  },
})
