import { auditTime, connect, defer, map, merge, skip, take, tap } from 'rxjs'
import type { MonoTypeOperatorFunction, OperatorFunction, SchedulerLike } from 'rxjs'

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
