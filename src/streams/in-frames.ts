import { auditTime, buffer, connect, defer, merge, share, skip, take } from 'rxjs'
import type { MonoTypeOperatorFunction, OperatorFunction, SchedulerLike } from 'rxjs'

/** Gathers values and hands them over together at the next frame; silent where nothing came. */
export const inFrames =
  <T>(frames: SchedulerLike): OperatorFunction<T, T[]> =>
  (source$) =>
    defer(() => {
      const shared$ = source$.pipe(share())
      return shared$.pipe(buffer(shared$.pipe(auditTime(0, frames))))
    })

/** The first value at once, then the latest one of each frame: what is shown changes with all else that is. */
export const latestInFrames = <T>(frames: SchedulerLike): MonoTypeOperatorFunction<T> =>
  connect((shared$) => merge(shared$.pipe(take(1)), shared$.pipe(skip(1), auditTime(0, frames))))
