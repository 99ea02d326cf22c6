import { ReplaySubject, distinctUntilChanged, share, type MonoTypeOperatorFunction } from 'rxjs'

/**
 * Makes a state stream of a source: shared, replaying the latest value to whoever comes late, silent where nothing
 * changed. The source is subscribed to with the first listener and let go with the last; the next first listener
 * begins anew.
 */
export function shareLatest<T>(isSame?: (a: T, b: T) => boolean): MonoTypeOperatorFunction<T> {
  return (source$) => source$.pipe(distinctUntilChanged(isSame), share({ connector: () => new ReplaySubject<T>(1) }))
}
