import type { SchedulerLike, Subscription } from 'rxjs'

/** What rings when something has taken too long. */
export interface Deadlines {
  /** Calls `ring` after `span` ms; the result takes that back. */
  set(span: number, ring: () => void): () => void
  /** Takes everything back. */
  stop(): void
}

/**
 * One timer for all deadlines of the same span, which are due in the order in which they were set: a timer for each would
 * cost a call as much as writing its request. A timer that was set is left to ring for nobody.
 */
export function createDeadlines(scheduler: SchedulerLike): Deadlines {
  const lanes = new Map<number, Lane>()
  return {
    set: (span, ring) => {
      const lane = lanes.get(span) ?? createLane(span, scheduler)
      lanes.set(span, lane)
      return lane.add(ring)
    },
    stop: () => {
      for (const lane of lanes.values()) lane.stop()
      lanes.clear()
    },
  }
}

interface Lane {
  add(ring: () => void): () => void
  stop(): void
}

interface Deadline {
  /** By the scheduler's clock. */
  readonly due: number
  readonly ring: () => void
}

function createLane(span: number, scheduler: SchedulerLike): Lane {
  const waiting = new Set<Deadline>()
  let alarm: Subscription | undefined

  const setAlarm = (delay: number): void => {
    alarm ??= scheduler.schedule(ringDue, delay)
  }
  const ringDue = (): void => {
    alarm = undefined
    for (const deadline of waiting) {
      const left = deadline.due - scheduler.now()
      if (left > 0) {
        setAlarm(left)
        return
      }
      waiting.delete(deadline)
      deadline.ring()
    }
  }
  return {
    add: (ring) => {
      const deadline = { due: scheduler.now() + span, ring }
      waiting.add(deadline)
      setAlarm(span)
      return () => waiting.delete(deadline)
    },
    stop: () => {
      waiting.clear()
      alarm?.unsubscribe()
    },
  }
}
