import {
  EMPTY,
  concatMap,
  defer,
  exhaustMap,
  from,
  of,
  repeat,
  tap,
  type Observable,
  type OperatorFunction,
} from 'rxjs'

/**
 * Works on one value after the other, as `concatMap` does. Where they come faster than the work goes, the oldest that wait
 * are let go of, so that what waits never counts for more than `limit`; `sizeOf` a value is what it counts for.
 */
export const newestInTurn =
  <T, R>(limit: number, sizeOf: (value: T) => number, work: (value: T) => Observable<R>): OperatorFunction<T, R> =>
  (source$) =>
    defer(() => {
      const waiting: T[] = []
      let size = 0
      const take = (): T[] => {
        const taken = waiting.splice(0, 1)
        for (const value of taken) size -= sizeOf(value)
        return taken
      }
      const queue = (value: T): void => {
        waiting.push(value)
        size += sizeOf(value)
        while (size > limit) take()
      }
      const workOff$ = defer(() => from(take()).pipe(concatMap(work))).pipe(
        repeat({ delay: () => (waiting.length > 0 ? of(undefined) : EMPTY) }),
      )
      return source$.pipe(
        tap(queue),
        exhaustMap(() => workOff$),
      )
    })
