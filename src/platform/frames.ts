import { Subscription, type SchedulerAction, type SchedulerLike } from 'rxjs'

/** Asks for one call of `work` at the next frame; the result takes the request back. */
export type RequestFrame = (work: () => void) => () => void

/** A frame in ms where no display sets the pace. */
export const FRAME = 16

/**
 * A scheduler whose work waits for a frame: delays are rounded up to "the next one". What it is for is coalescing, so
 * `auditTime(0, frames)` is all that is asked of it. All that waits for a frame is done in one go, so that whoever looks
 * at several results looks once. What is asked for meanwhile waits for the next.
 */
export function createFrames(requestFrame: RequestFrame, now: () => number): SchedulerLike {
  let waiting = new Set<() => void>()
  let cancel: (() => void) | undefined

  function run(): void {
    const due = waiting
    waiting = new Set()
    cancel = undefined
    for (const work of due) work()
  }
  const wait: RequestFrame = (work) => {
    waiting.add(work)
    cancel ??= requestFrame(run)
    return () => {
      waiting.delete(work)
      if (waiting.size > 0) return
      cancel?.()
      cancel = undefined
    }
  }
  return {
    now,
    schedule<T>(work: (this: SchedulerAction<T>, state?: T) => void, _delay?: number, state?: T): Subscription {
      return new FrameAction(wait, work).schedule(state)
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
