import { Observable, auditTime, connect, merge, skip, take } from 'rxjs'
import type { MonoTypeOperatorFunction, OperatorFunction, SchedulerLike, Subscription } from 'rxjs'

/**
 * Gathers values and hands them over together at the next frame, what is left at the source's end before that; silent where
 * nothing came. Not made of `buffer`, which needs the source twice, and so a `Subject`'s round for every single value.
 */
export const inFrames =
  <T>(frames: SchedulerLike): OperatorFunction<T, T[]> =>
  (source$) =>
    new Observable((subscriber) => {
      let gathered: T[] = []
      let frame: Subscription | undefined
      const handOver = (): void => {
        const batch = gathered
        gathered = []
        if (batch.length > 0) subscriber.next(batch)
      }
      const source = source$.subscribe({
        next: (value) => {
          if (gathered.push(value) === 1) frame = frames.schedule(handOver)
        },
        error: (error: unknown) => subscriber.error(error),
        complete: () => {
          handOver()
          subscriber.complete()
        },
      })
      return () => {
        source.unsubscribe()
        frame?.unsubscribe()
      }
    })

/** The first value at once, then the latest one of each frame: what is shown changes with all else that is. */
export const latestInFrames = <T>(frames: SchedulerLike): MonoTypeOperatorFunction<T> =>
  connect((shared$) => merge(shared$.pipe(take(1)), shared$.pipe(skip(1), auditTime(0, frames))))
