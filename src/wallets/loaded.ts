import { filter, fromEvent, startWith, take, type Observable } from 'rxjs'
import type { Page } from './surroundings.js'

/** Emits once the page's load event has begun, at once where it has. */
export const loaded$ = (page: Page): Observable<unknown> =>
  fromEvent(page, 'load').pipe(
    startWith(undefined),
    filter(() => page.document.readyState === 'complete'),
    take(1),
  )
