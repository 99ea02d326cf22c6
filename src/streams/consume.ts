import { Observable } from 'rxjs'

/**
 * Calls `onValue` for each value and emits nothing; errors and completes with the source. One operator in place of
 * `tap` and `ignoreElements`, because every notification of a node passes through it.
 */
export const consume$ = <T>(source$: Observable<T>, onValue: (value: T) => void): Observable<never> =>
  new Observable((subscriber) =>
    source$.subscribe({
      next: onValue,
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  )
