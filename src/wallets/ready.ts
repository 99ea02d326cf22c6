import {
  switchMap,
  take,
  filter,
  fromEvent,
  merge,
  startWith,
  timer,
  type Observable,
  type ObservableInput,
} from 'rxjs'
import type { WalletEnvironment } from './environment.js'

/**
 * Calls `start` after the first `ready$`. An unsubscribe before that prevents the call, so that an aborted operation
 * opens no window.
 */
export const whenReady = <T>(ready$: Observable<unknown>, start: () => ObservableInput<T>): Observable<T> =>
  ready$.pipe(take(1), switchMap(start))

/** Ms after which a page that never completes loading is treated as loaded, as in KasWare. */
const LOAD_TIMEOUT = 60_000

/** Emits once, when the page has loaded or after `LOAD_TIMEOUT`. */
export function loaded$({ page, platform }: WalletEnvironment): Observable<unknown> {
  const complete$ = fromEvent(page, 'load').pipe(
    startWith(undefined),
    filter(() => page.document.readyState === 'complete'),
  )
  return merge(complete$, timer(LOAD_TIMEOUT, platform.scheduler)).pipe(take(1))
}
