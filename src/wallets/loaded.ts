import { filter, fromEvent, merge, startWith, take, timer, type Observable } from 'rxjs'
import type { Surroundings } from './surroundings.js'

/** How long, in ms, a page's load may be waited for; some never end. KasWare itself waits no longer. */
const PATIENCE = 60_000

/** Emits once the page's load event has begun, at once where it has, or when it is not worth waiting for any more. */
export function loaded$({ page, platform }: Surroundings): Observable<unknown> {
  const complete$ = fromEvent(page, 'load').pipe(
    startWith(undefined),
    filter(() => page.document.readyState === 'complete'),
  )
  return merge(complete$, timer(PATIENCE, platform.scheduler)).pipe(take(1))
}
