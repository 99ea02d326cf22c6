import { NEVER, ReplaySubject, distinctUntilChanged, share, takeUntil } from 'rxjs'
import type { MonoTypeOperatorFunction, Observable } from 'rxjs'

/**
 * Makes a state stream of a source: shared, replaying the latest value to whoever comes late, silent where nothing
 * changed. The source is subscribed to with the first listener and let go with the last; the next first listener
 * begins anew. Completes with the source, or when `ended$` emits.
 */
export const shareLatest =
  <T>(ended$: Observable<unknown> = NEVER): MonoTypeOperatorFunction<T> =>
  (source$) =>
    source$.pipe(distinctUntilChanged(), takeUntil(ended$), share({ connector: () => new ReplaySubject<T>(1) }))
