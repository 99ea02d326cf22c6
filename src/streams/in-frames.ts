import { auditTime, connect, defer, map, merge, skip, take, tap } from 'rxjs'
import type { MonoTypeOperatorFunction, OperatorFunction, SchedulerLike } from 'rxjs'

/**
 * Gathers values and hands them over together at the next frame, also after the source's end; silent where nothing came.
 * Not made of `buffer`, which needs the source twice, and so a `Subject`'s round for every single value.
 */
export const inFrames =
  <T>(frames: SchedulerLike): OperatorFunction<T, T[]> =>
  (source$) =>
    defer(() => {
      const gathered: T[] = []
      return source$.pipe(
        tap((value) => gathered.push(value)),
        auditTime(0, frames),
        map(() => gathered.splice(0)),
      )
    })

/** The first value at once, then the latest one of each frame: what is shown changes with all else that is. */
export const latestInFrames = <T>(frames: SchedulerLike): MonoTypeOperatorFunction<T> =>
  connect((shared$) => merge(shared$.pipe(take(1)), shared$.pipe(skip(1), auditTime(0, frames))))
