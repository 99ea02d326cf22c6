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

interface Deadline {
  /** Scheduler time. */
  readonly due: number
  readonly onExpired: () => void
}

function createQueue(span: number, scheduler: SchedulerLike): DeadlineQueue {
  const pending = new Set<Deadline>()
  let timer: Subscription | undefined

  const startTimer = (delay: number): void => {
    timer ??= scheduler.schedule(expireDue, delay)
  }
  const expireDue = (): void => {
    timer = undefined
    for (const deadline of pending) {
      const remaining = deadline.due - scheduler.now()
      if (remaining > 0) {
        startTimer(remaining)
        return
      }
      pending.delete(deadline)
      deadline.onExpired()
    }
  }
  return {
    add: (onExpired) => {
      const deadline = { due: scheduler.now() + span, onExpired }
      pending.add(deadline)
      startTimer(span)
      return () => pending.delete(deadline)
    },
    stop: () => {
      pending.clear()
      timer?.unsubscribe()
    },
  }
}
