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
  type Observable,
} from 'rxjs'
import type { HeartbeatPolicy } from './policy.js'
import { idle$, type Clock } from './idle.js'

export interface HeartbeatDeps {
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
