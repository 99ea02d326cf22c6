import { EMPTY, finalize, ignoreElements, interval, share, tap, type Observable, type SchedulerLike } from 'rxjs'

/** A tick every so many ms while it is subscribed to; for 0 never. Emits nothing itself. */
export type Ticks = (ms: number) => Observable<never>

/** One clock an interval, however many listen: each tick is told to `onTick`. */
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
