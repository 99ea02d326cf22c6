import { auditTime, buffer, defer, share, type OperatorFunction, type SchedulerLike } from 'rxjs'

/** Gathers values and hands them over together at the next frame; silent where nothing came. */
export const inFrames =
  <T>(frames: SchedulerLike): OperatorFunction<T, T[]> =>
  (source$) =>
    defer(() => {
      const shared$ = source$.pipe(share())
      return shared$.pipe(buffer(shared$.pipe(auditTime(0, frames))))
    })
