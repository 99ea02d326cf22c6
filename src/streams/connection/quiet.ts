import { Observable, defer, expand, filter, map, of, skip, timer, type SchedulerLike } from 'rxjs'

/** A wall clock, and timers beside it. The two may disagree: a laptop sleeps, a user sets the time. */
export interface Clock {
  now(): number
  readonly scheduler: SchedulerLike
}

/**
 * Emits whenever nothing has come from the source for `span` ms, and again after each further `span` of silence.
 * A busy source costs a look at the clock a value, not a timer; a clock set back delays by one `span` at most.
 */
export function quiet$(source$: Observable<unknown>, span: number, clock: Clock): Observable<void> {
  return new Observable((subscriber) => {
    let heardAt = clock.now()
    subscriber.add(
      source$.subscribe({ next: () => (heardAt = clock.now()), error: (error) => subscriber.error(error) }),
    )
    const remaining = (): number => {
      const now = clock.now()
      heardAt = Math.min(heardAt, now) // nothing was heard in the future: the clock has been set back
      return Math.max(0, heardAt + span - now)
    }
    const rearm = (left: number): Observable<number> =>
      timer(left === 0 ? span : left, clock.scheduler).pipe(map(remaining))
    const waits$ = defer(() => of(span)).pipe(expand(rearm), skip(1))
    subscriber.add(
      waits$
        .pipe(
          filter((left) => left === 0),
          map(() => undefined),
        )
        .subscribe(subscriber),
    )
  })
}
