import type { SchedulerLike, Subscription } from 'rxjs'

/** Accepted payments that are remembered for a time, the first accepted first. */
export interface Memories {
  /** Remembers a payment; `onForgotten` is called once its time is over, or beyond the capacity. */
  add(id: string): void
  /** Forgets one without a call. */
  delete(id: string): void
  clear(): void
}

export interface MemoriesDeps {
  readonly scheduler: SchedulerLike
  readonly lifetime: Subscription
  /** How many are remembered, at most. */
  readonly capacity: number
  /** Ms. */
  readonly span: number
}

/**
 * One timer for all, since each is remembered for the same time: a timer for each takes 1.8 kB, half of what is
 * remembered of a payment. None outlives `lifetime`.
 */
export function createMemories(
  { scheduler, lifetime, capacity, span }: MemoriesDeps,
  onForgotten: (id: string) => void,
): Memories {
  /** When each is forgotten, scheduler time, in ascending order. */
  const due = new Map<string, number>()
  let timer: Subscription | undefined
  lifetime.add(() => timer?.unsubscribe())

  const start = (delay: number): void => {
    if (!lifetime.closed) timer ??= scheduler.schedule(forgetDue, delay)
  }
  const forget = (id: string): void => {
    due.delete(id)
    onForgotten(id)
  }
  const forgetDue = (): void => {
    timer = undefined
    for (const [id, time] of due) {
      const remaining = time - scheduler.now()
      if (remaining > 0) {
        start(remaining)
        return
      }
      forget(id)
    }
  }
  return {
    add: (id) => {
      due.delete(id) // so that it is the last one
      due.set(id, scheduler.now() + span)
      start(span)
      const [oldest] = due.keys()
      if (due.size > capacity && oldest !== undefined) forget(oldest)
    },
    delete: (id) => due.delete(id),
    clear: () => due.clear(),
  }
}
