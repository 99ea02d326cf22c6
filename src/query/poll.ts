import { EMPTY, connect, ignoreElements, merge, switchMap, tap, timer, type MonoTypeOperatorFunction } from 'rxjs'
import type { Platform } from '../platform/port.js'
import type { QuerySnapshot, RefetchInterval } from './options.js'

/** A state of a polled query. */
export interface Polled {
  readonly state: { readonly isFetching: boolean }
  /** Ms from this state to the next fetch; 0: none. */
  readonly interval: number
  /** Fetches again, unless a fetch is in flight. */
  readonly poll: () => void
}

/** The page's timers and visibility. */
export type PollClock = Pick<Platform, 'scheduler' | 'visible$'>

/**
 * Fetches again when the interval after a state has passed, so a slow server never gets a second request. A hidden page
 * does not poll; it fetches at once when it is visible again and the interval has passed.
 */
export const polling = <State extends Polled>({ scheduler, visible$ }: PollClock): MonoTypeOperatorFunction<State> =>
  connect((states$) => {
    const polls$ = states$.pipe(
      switchMap(({ state, interval, poll }) => {
        if (interval === 0 || state.isFetching) return EMPTY
        const due = scheduler.now() + interval
        return visible$.pipe(
          switchMap((isVisible) => (isVisible ? timer(Math.max(0, due - scheduler.now()), scheduler) : EMPTY)),
          tap(poll),
        )
      }),
      ignoreElements(),
    )
    return merge(states$, polls$)
  })

/** The number of ms of an interval after the latest result; 0: none. */
export function toInterval<T>(interval: RefetchInterval<T> | undefined, query: QuerySnapshot<T>): number {
  const ms = typeof interval === 'function' ? interval(query) : interval
  return ms === false ? 0 : (ms ?? 0)
}
