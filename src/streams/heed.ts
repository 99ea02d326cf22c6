import { Observable } from 'rxjs'

/**
 * Listens to `source$` while it is subscribed to, and never emits; ends with the source, either way. One step where
 * `tap` and `ignoreElements` are two: every notification of a node passes through here.
 */
export const heed$ = <T>(source$: Observable<T>, listener: (value: T) => void): Observable<never> =>
  new Observable((subscriber) =>
    source$.subscribe({
      next: listener,
      error: (error) => subscriber.error(error),
      complete: () => subscriber.complete(),
    }),
  )
