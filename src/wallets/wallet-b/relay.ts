import { catchError, defer, merge, mergeMap, of, shareReplay, switchMap, take, timer, type Observable } from 'rxjs'
import { loaded$ } from '../ready.js'
import { hasMethods, invoke, type Provider } from '../provider.js'
import type { WalletEnvironment } from '../environment.js'

/** The event that Kastle dispatches on `window` when calls can reach it. */
export const RELAY_READY = 'kastle#initialized'

/** Probing for the relay: interval in ms, and count (3 s in total). */
const PROBE_INTERVAL = 300
const PROBE_COUNT = 10

/**
 * Emits once Kastle can be called. Its object exists before the relay to the extension, and earlier calls are dropped:
 * they time out after three minutes. `initialized$` signals the relay; after the page's load it is probed, because the
 * event may have been missed.
 */
export const relayReady$ = (
  provider: Provider,
  environment: WalletEnvironment,
  initialized$: Observable<unknown>,
): Observable<unknown> =>
  merge(initialized$, loaded$(environment).pipe(switchMap(() => probeRelay$(provider, environment)))).pipe(
    take(1),
    shareReplay(1),
  )

/**
 * Emits when Kastle responds to a call without a prompt. A dropped call never settles, so probes overlap. Emits after
 * the last probe in any case; later calls have their own timeout.
 */
const probeRelay$ = (provider: Provider, { platform }: WalletEnvironment): Observable<unknown> =>
  merge(
    timer(0, PROBE_INTERVAL, platform.scheduler).pipe(
      take(PROBE_COUNT),
      mergeMap(() => probe$(provider)),
    ),
    timer(PROBE_INTERVAL * PROBE_COUNT, platform.scheduler),
  )

/** A rejection also proves that the relay is reachable. */
const probe$ = (provider: Provider): Observable<unknown> =>
  defer(() => fetchNetwork(provider)).pipe(catchError(() => of(undefined)))

/**
 * Kastle's network, without permission or a window. Before 2.47.0 only `request` provides it. Undefined if both methods
 * are missing.
 */
export function fetchNetwork(provider: Provider): Promise<unknown> {
  if (hasMethods(provider, 'getNetwork')) return invoke(provider, 'connect', 'getNetwork')
  if (hasMethods(provider, 'request')) return invoke(provider, 'connect', 'request', 'kas:get_network')
  return Promise.resolve(undefined)
}
