import type { SchedulerLike, Subscription } from 'rxjs'

/** Timeouts of pending calls. */
interface Deadlines {
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

/** Ms between two checks: a busy node sends a hundred notifications in that time. */
const CHECK_INTERVAL = 1_000

/** How many seconds with notifications a call waits at least, and the part of its timeout, if that is longer. */
const [MIN_SECONDS, PART_OF_TIMEOUT] = [10, 6]

/** A call that waits for its response. */
export interface WaitingCall {
  /** Ascends in the order of the requests. */
  readonly order: bigint
  readonly timeout: number
  /** In how many seconds notifications have arrived, and no response to this or an earlier request. */
  seconds: number
}

/** Finds the calls of one connection whose responses are lost. */
interface DroppedResponses<Waiting extends WaitingCall> {
  /** The response to a request has arrived. */
  readonly onResponse: (order: bigint) => void
  /** A notification has arrived. Returns the calls whose response is lost. */
  readonly onNotification: () => readonly Waiting[]
}

/**
 * A node processes the requests of a connection one after the other, and a slow one delays its notifications as well
 * (measured with kaspad 2.1.0). A response is lost where notifications go on while neither it nor that of an earlier
 * request arrives: in ten seconds, or a sixth of the timeout of the call. Without notifications nothing is known, and
 * the timeout decides. Seconds with notifications are counted, not the time: the clock goes on while a device sleeps.
 */
export function createDroppedResponses<Waiting extends WaitingCall>(
  scheduler: Pick<SchedulerLike, 'now'>,
  waiting: () => readonly Waiting[],
): DroppedResponses<Waiting> {
  let nextCheck = -Infinity
  /** The earliest request that got its response since the last check. */
  let earliest: bigint | undefined
  return {
    onResponse: (order) => {
      if (earliest === undefined || order < earliest) earliest = order
    },
    onNotification: () => {
      const now = scheduler.now()
      if (now < nextCheck) return NONE
      nextCheck = now + CHECK_INTERVAL
      const progress = earliest
      earliest = undefined
      return waiting().filter((call) => {
        call.seconds = progress !== undefined && progress < call.order ? 1 : call.seconds + 1
        return call.seconds > Math.max(MIN_SECONDS, call.timeout / PART_OF_TIMEOUT / CHECK_INTERVAL)
      })
    },
  }
}

const NONE: readonly never[] = []
