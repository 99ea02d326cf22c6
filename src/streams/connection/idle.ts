import { Observable, defer, expand, filter, map, of, skip, timer, type SchedulerLike } from 'rxjs'

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
