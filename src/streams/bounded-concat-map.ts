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
 * Like `concatMap`, with a bounded buffer: where values arrive faster than they are projected, the oldest buffered ones
 * are dropped. `limit` bounds the sum of `sizeOf` over the buffer.
 */
export const boundedConcatMap =
  <T, R>(limit: number, sizeOf: (value: T) => number, project: (value: T) => Observable<R>): OperatorFunction<T, R> =>
  (source$) =>
    defer(() => {
      const buffer: T[] = []
      let size = 0
      const shift = (): T[] => {
        const shifted = buffer.splice(0, 1)
        for (const value of shifted) size -= sizeOf(value)
        return shifted
      }
      const push = (value: T): void => {
        buffer.push(value)
        size += sizeOf(value)
        while (size > limit) shift()
      }
      const drain$ = defer(() => from(shift()).pipe(concatMap(project))).pipe(
        repeat({ delay: () => (buffer.length > 0 ? of(undefined) : EMPTY) }),
      )
      return source$.pipe(
        tap(push),
        exhaustMap(() => drain$),
      )
    })
