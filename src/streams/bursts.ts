import {
  auditTime,
  connect,
  defer,
  map,
  merge,
  skip,
  take,
  tap,
  type MonoTypeOperatorFunction,
  type OperatorFunction,
  type SchedulerLike,
  EMPTY,
  concatMap,
  exhaustMap,
  from,
  of,
  repeat,
  type Observable,
} from 'rxjs'

/**
 * Buffers values and emits them as one array at the next frame, also after the source completes; emits no empty array.
 * Not built on `buffer`, which would pass every value through a `Subject`.
 */
export const inFrames =
  <T>(frames: SchedulerLike): OperatorFunction<T, T[]> =>
  (source$) =>
    defer(() => {
      const buffered: T[] = []
      return source$.pipe(
        tap((value) => buffered.push(value)),
        auditTime(0, frames),
        map(() => buffered.splice(0)),
      )
    })

/** The first value at once, then the latest value of each frame. */
export const latestInFrames = <T>(frames: SchedulerLike): MonoTypeOperatorFunction<T> =>
  connect((shared$) => merge(shared$.pipe(take(1)), shared$.pipe(skip(1), auditTime(0, frames))))

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
