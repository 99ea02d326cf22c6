import { fromEvent, merge, shareReplay, take, type Observable } from 'rxjs'
import { loaded$ } from '../loaded.js'
import type { Surroundings } from '../surroundings.js'

/** What Kastle fires on the window once calls can reach it. */
export const RELAY_UP = 'kastle#initialized'

/**
 * Emits once Kastle can be called. Its object stands in the page before the relay to the extension listens, and what is
 * asked before that is lost for three minutes. The relay is up by its event, which may be long over, or by the page's load.
 */
export const relayUp$ = ({ page }: Surroundings): Observable<unknown> =>
  merge(fromEvent(page, RELAY_UP), loaded$(page)).pipe(take(1), shareReplay(1))
