import { switchMap, take, type Observable, type ObservableInput } from 'rxjs'

/**
 * What `work` brings, begun once `ready$` has emitted. Where nobody waits for it any more by then it is not begun: what was
 * given up must not open a window afterwards.
 */
export const after = <T>(ready$: Observable<unknown>, work: () => ObservableInput<T>): Observable<T> =>
  ready$.pipe(take(1), switchMap(work))
