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
import { quiet$, type Clock } from './quiet.js'

export interface HeartbeatDeps {
  readonly clock: Clock
  readonly policy: HeartbeatPolicy
  /** Any sign of life. */
  readonly heard$: Observable<unknown>
  /** Moments after which nobody can know: the page is seen again, the network is back. */
  readonly wake$: Observable<unknown>
  /** Asks for a sign of life; cold. */
  readonly ping$: Observable<unknown>
  readonly toError: (timeout: number) => unknown
}

/** How much later than set, in ms, a timer may ring before we must have been asleep. */
const OVERSLEPT = 1_000

/**
 * Errors when a connection is found dead: silent for `interval`, then a ping unanswered for `timeout`. Never emits.
 * What a timer finds is judged by the wall clock: one that rings late was held back (a throttled tab, a slept laptop),
 * and the answer may stand in the queue behind it, so the question is put again.
 */
export function heartbeat$(deps: HeartbeatDeps): Observable<never> {
  const { clock, policy, heard$, wake$, ping$ } = deps
  return defer(() => {
    const answered$ = new Subject<void>()
    const silence$ = quiet$(merge(heard$, answered$), policy.interval, clock)
    const ask$: Observable<unknown> = defer(() => {
      const askedAt = clock.now()
      const overslept = (): boolean => clock.now() - askedAt > policy.timeout + OVERSLEPT
      return merge(ping$, heard$).pipe(
        take(1),
        timeout({
          first: policy.timeout,
          scheduler: clock.scheduler,
          with: () => (overslept() ? ask$ : throwError(() => deps.toError(policy.timeout))),
        }),
      )
    })
    return merge(silence$, wake$).pipe(
      exhaustMap(() => ask$.pipe(tap(() => answered$.next()))),
      ignoreElements(),
    )
  })
}
