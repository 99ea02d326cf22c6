import { EMPTY, defer, merge, of, tap, type MonoTypeOperatorFunction } from 'rxjs'

/**
 * Emits `initial` where the source emits nothing within the call of `subscribe`: a state stream has a value at once,
 * also while its code is being loaded.
 */
export const startUnlessEmitted =
  <T>(initial: T): MonoTypeOperatorFunction<T> =>
  (source$) =>
    defer(() => {
      let hasEmitted = false
      const value$ = source$.pipe(tap(() => (hasEmitted = true)))
      return merge(
        value$,
        defer(() => (hasEmitted ? EMPTY : of(initial))),
      )
    })
