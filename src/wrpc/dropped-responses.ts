import type { SchedulerLike } from 'rxjs'

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
export interface DroppedResponses<Waiting extends WaitingCall> {
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
