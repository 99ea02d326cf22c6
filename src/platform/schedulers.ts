import { Subscription, type SchedulerAction, type SchedulerLike, asyncScheduler } from 'rxjs'
import { LONGEST_TIMER } from '../loading/abortable.js'

/** Requests one call of `work` at the next frame; the result cancels it. */
type RequestFrame = (work: () => void) => () => void

/** The frame time in ms without a display. */
export const FRAME = 16

/**
 * A scheduler that runs work at the next frame and ignores delays, for `auditTime(0, frames)`. All pending work runs
 * together, so that a consumer of several results updates once. Work scheduled meanwhile runs at the following frame.
 */
export function createFrames(requestFrame: RequestFrame, now: () => number): SchedulerLike {
  let pending = new Set<() => void>()
  let cancel: (() => void) | undefined

  function run(): void {
    const due = pending
    pending = new Set()
    cancel = undefined
    for (const work of due) work()
  }
  const enqueue: RequestFrame = (work) => {
    pending.add(work)
    cancel ??= requestFrame(run)
    return () => {
      pending.delete(work)
      if (pending.size > 0) return
      cancel?.()
      cancel = undefined
    }
  }
  return {
    now,
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, _delay?: number, state?: T): Subscription {
      return new FrameAction(enqueue, work).schedule(state)
    },
  }
}

class FrameAction<T> extends Subscription implements SchedulerAction<T> {
  constructor(
    private readonly requestFrame: RequestFrame,
    private readonly work: (this: SchedulerAction<T>, state?: T) => void,
  ) {
    super()
  }

  schedule(state?: T): Subscription {
    this.add(this.requestFrame(() => this.work(state)))
    return this
  }
}

/** The runtime's timers with a monotonic clock. The wall clock may jump. */
export const monotonicScheduler: SchedulerLike = {
  now: () => performance.now(),
  schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, delay = 0, state?: T): Subscription {
    return asyncScheduler.schedule(work, Math.min(delay, LONGEST_TIMER), state)
  },
}
