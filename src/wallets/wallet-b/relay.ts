import { catchError, defer, merge, mergeMap, of, shareReplay, switchMap, take, timer, type Observable } from 'rxjs'
import { loaded$ } from '../loaded.js'
import type { Provider } from '../provider.js'
import type { Surroundings } from '../surroundings.js'
import { askNetwork } from './ask-network.js'

/** What Kastle fires on the window once calls can reach it. */
export const RELAY_UP = 'kastle#initialized'

/** How often, in ms, and how many times it is seen whether calls reach it: for 3 s. */
const PROBE = 300
const PROBES = 10

/**
 * Emits once Kastle can be called. Its object stands in the page before the relay to the extension listens, and what is
 * asked before that is lost for three minutes. The relay is up when it has said so (`said$`). Those who may have come too
 * late to hear it find out after the page's load.
 */
export const relayUp$ = (
  provider: Provider,
  surroundings: Surroundings,
  said$: Observable<unknown>,
): Observable<unknown> =>
  merge(said$, loaded$(surroundings).pipe(switchMap(() => reached$(provider, surroundings)))).pipe(
    take(1),
    shareReplay(1),
  )

/**
 * Emits when Kastle answers what it tells anyone. A question that is lost stays without an answer, so another follows it;
 * after the last of them it emits all the same, and whatever is then asked in earnest has a limit of its own.
 */
const reached$ = (provider: Provider, { platform }: Surroundings): Observable<unknown> =>
  merge(
    timer(0, PROBE, platform.scheduler).pipe(
      take(PROBES),
      mergeMap(() => answer$(provider)),
    ),
    timer(PROBE * PROBES, platform.scheduler),
  )

/** A refusal is an answer too: it came through the relay. */
const answer$ = (provider: Provider): Observable<unknown> =>
  defer(() => askNetwork(provider)).pipe(catchError(() => of(undefined)))
