import {
  Subject,
  defer,
  exhaustMap,
  ignoreElements,
  merge,
  take,
  tap,
  throwError,
  timeout,
  Observable,
  expand,
  filter,
  map,
  of,
  skip,
  timer,
  type SchedulerLike,
} from 'rxjs'
import type { HeartbeatPolicy } from './policy.js'
import { ChainError } from '../../errors/chain-error.js'
import { ChainRpcError } from '../../errors/rpc-error.js'

interface HeartbeatDeps {
  readonly clock: Clock
  readonly policy: HeartbeatPolicy
  /** Any received message. */
  readonly received$: Observable<unknown>
  /** Triggers an immediate ping: the page became visible, the network returned. */
  readonly wake$: Observable<unknown>
  /** Sends a ping and emits its response; cold. */
  readonly ping$: Observable<unknown>
  readonly toError: (timeout: number) => unknown
}

/** Ms of delay from which a timer counts as suspended. */
const LATE_TIMER = 1_000

/**
 * Errors when a connection is dead: idle for `interval`, then no response to a ping within `timeout`. Never emits. A
 * timer that fires late by the wall clock was suspended (a throttled tab, a sleeping laptop). The response may be
 * queued behind it, so the ping is repeated.
 */
export function heartbeat$(deps: HeartbeatDeps): Observable<never> {
  const { clock, policy, received$, wake$, ping$ } = deps
  return defer(() => {
    const pong$ = new Subject<void>()
    const idles$ = idle$(merge(received$, pong$), policy.interval, clock)
    const check$: Observable<unknown> = defer(() => {
      const sentAt = clock.now()
      const isTimerLate = (): boolean => clock.now() - sentAt > policy.timeout + LATE_TIMER
      return merge(ping$, received$).pipe(
        take(1),
        timeout({
          first: policy.timeout,
          scheduler: clock.scheduler,
          with: () => (isTimerLate() ? check$ : throwError(() => deps.toError(policy.timeout))),
        }),
      )
    })
    return merge(idles$, wake$).pipe(
      exhaustMap(() => check$.pipe(tap(() => pong$.next()))),
      ignoreElements(),
    )
  })
}

/** A wall clock and timers. The two may diverge: a laptop sleeps, a user sets the time. */
export interface Clock {
  now(): number
  readonly scheduler: SchedulerLike
}

/**
 * Emits when the source has been idle for `span` ms, and again after each further idle `span`.
 * Reads the clock per value instead of restarting a timer. A clock set back delays an emission by at most one `span`.
 */
export function idle$(source$: Observable<unknown>, span: number, clock: Clock): Observable<void> {
  return new Observable((subscriber) => {
    let receivedAt = clock.now()
    subscriber.add(
      source$.subscribe({ next: () => (receivedAt = clock.now()), error: (error) => subscriber.error(error) }),
    )
    const remaining = (): number => {
      const now = clock.now()
      receivedAt = Math.min(receivedAt, now) // the clock may have been set back
      return Math.max(0, receivedAt + span - now)
    }
    const restartTimer = (left: number): Observable<number> =>
      timer(left === 0 ? span : left, clock.scheduler).pipe(map(remaining))
    const remaining$ = defer(() => of(span)).pipe(expand(restartTimer), skip(1))
    subscriber.add(
      remaining$
        .pipe(
          filter((left) => left === 0),
          map(() => undefined),
        )
        .subscribe(subscriber),
    )
  })
}

/** The end of a connection whose node stopped responding. */
export const pingTimedOut = (url: string, timeout: number): ChainRpcError =>
  new ChainRpcError('connect', new ChainError(`${url} did not respond to a ping within ${timeout} ms`), {
    code: 'connection-lost',
    message: `The connection to ${url} was lost: no response to a ping within ${timeout} ms`,
  })
