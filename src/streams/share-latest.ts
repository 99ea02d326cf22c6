import { NEVER, ReplaySubject, distinctUntilChanged, share, takeUntil } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'

/**
 * Makes a state stream: shared, replays the latest value, emits only changes. Subscribes to the source with the first
 * subscriber and unsubscribes with the last; the next first one starts without a value. Completes with the source, or
 * when `ended$` emits.
 */
export const shareLatest =
  <T>(ended$: Observable<unknown> = NEVER): MonoTypeOperatorFunction<T> =>
  (source$) =>
    source$.pipe(distinctUntilChanged(), takeUntil(ended$), share({ connector: () => new ReplaySubject<T>(1) }))
