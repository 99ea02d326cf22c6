import { EMPTY, finalize, ignoreElements, interval, share, tap, type Observable, type SchedulerLike } from 'rxjs'

/** Runs a timer of `ms` while subscribed to; none for 0. Never emits. */
export type Ticks = (ms: number) => Observable<never>

/** Shares one timer per interval between all subscribers; each tick calls `onTick`. */
export function createTicks(onTick: (ms: number) => void, scheduler: SchedulerLike): Ticks {
  const clocks = new Map<number, Observable<never>>()
  return (ms) => {
    const clock$ =
      clocks.get(ms) ??
      interval(ms, scheduler).pipe(
        tap(() => onTick(ms)),
        ignoreElements(),
        finalize(() => clocks.delete(ms)),
        share(),
      )
    clocks.set(ms, clock$)
    return ms === 0 ? EMPTY : clock$
  }
}
