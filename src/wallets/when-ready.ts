import { switchMap, take, type Observable, type ObservableInput } from 'rxjs'

/**
 * Calls `start` after the first `ready$`. An unsubscribe before that prevents the call, so that an aborted operation
 * opens no window.
 */
export const whenReady = <T>(ready$: Observable<unknown>, start: () => ObservableInput<T>): Observable<T> =>
  ready$.pipe(take(1), switchMap(start))
