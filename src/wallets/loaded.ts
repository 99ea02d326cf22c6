import { filter, fromEvent, merge, startWith, take, timer, type Observable } from 'rxjs'
import type { WalletEnvironment } from './environment.js'

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
