import type { SchedulerLike, Subscription } from 'rxjs'

/** Timeouts of pending calls. */
export interface Deadlines {
  /** Calls `onExpired` after `span` ms; the result cancels it. */
  set(span: number, onExpired: () => void): () => void
  /** Cancels all deadlines. */
  stop(): void
}

/**
 * One timer for all deadlines of the same span, which expire in the order in which they were set: a timer per deadline
 * would cost as much as encoding the request. A started timer is not cleared when its deadline is cancelled.
 */
export function createDeadlines(scheduler: SchedulerLike): Deadlines {
  const queues = new Map<number, DeadlineQueue>()
  return {
    set: (span, onExpired) => {
      const queue = queues.get(span) ?? createQueue(span, scheduler)
      queues.set(span, queue)
      return queue.add(onExpired)
    },
    stop: () => {
      for (const queue of queues.values()) queue.stop()
      queues.clear()
    },
  }
}

interface DeadlineQueue {
  add(onExpired: () => void): () => void
  stop(): void
}

/**
 * An element of a queue, which is a ring: a `Set` allocates its table again every few calls. A new one is its own ring.
 */
class Deadline {
  before: Deadline = this
  after: Deadline = this

  constructor(
    /** Scheduler time. */
    readonly due: number,
    readonly onExpired: () => void,
  ) {}

  insertBefore(next: Deadline): void {
    this.before = next.before
    this.after = next
    next.before.after = this
    next.before = this
  }

  /** No effect on one that was removed. */
  remove(): void {
    this.before.after = this.after
    this.after.before = this.before
    this.before = this.after = this
  }
}

function createQueue(span: number, scheduler: SchedulerLike): DeadlineQueue {
  /** Between the latest and the earliest deadline. */
  const end = new Deadline(Infinity, () => undefined)
  let timer: Subscription | undefined

  const startTimer = (delay: number): void => {
    timer ??= scheduler.schedule(expireDue, delay)
  }
  const expireDue = (): void => {
    timer = undefined
    for (let first = end.after; first !== end; first = end.after) {
      const remaining = first.due - scheduler.now()
      if (remaining > 0) {
        startTimer(remaining)
        return
      }
      first.remove()
      first.onExpired()
    }
  }
  return {
    add: (onExpired) => {
      const deadline = new Deadline(scheduler.now() + span, onExpired)
      deadline.insertBefore(end)
      startTimer(span)
      return () => deadline.remove()
    },
    stop: () => {
      while (end.after !== end) end.after.remove()
      timer?.unsubscribe()
    },
  }
}
