import { merge, shareReplay, take, type Observable } from 'rxjs'
import { loaded$ } from '../loaded.js'
import type { Surroundings } from '../surroundings.js'

/** What Kastle fires on the window once calls can reach it. */
export const RELAY_UP = 'kastle#initialized'

/**
 * Emits once Kastle can be called. Its object stands in the page before the relay to the extension listens, and what is
 * asked before that is lost for three minutes. The relay is up when it has said so (`said$`), or by the page's load, for
 * those who came too late to hear it.
 */
export const relayUp$ = (surroundings: Surroundings, said$: Observable<unknown>): Observable<unknown> =>
  merge(said$, loaded$(surroundings)).pipe(take(1), shareReplay(1))
