import {
  filter,
  fromEvent,
  map,
  merge,
  type Observable,
  catchError,
  defer,
  mergeMap,
  of,
  shareReplay,
  switchMap,
  take,
  timer,
} from 'rxjs'
import { readSnapshot, readPublicKey } from '../read-snapshot.js'
import type { WalletSnapshot, WalletHint } from '../port.js'
import { invoke, isProvider, type Provider, walletEvent$, hasMethods } from '../provider.js'
import { type WalletEnvironment, loaded$ } from '../environment.js'

/** What Kastle exposes to this site without a prompt, the same whether locked or not. */
export const refreshKastle = (provider: Provider, environment: WalletEnvironment): Promise<WalletSnapshot> =>
  readSnapshot(() => fetchSnapshot(provider), environment)

async function fetchSnapshot(provider: Provider): Promise<WalletSnapshot> {
  const [account, network] = await Promise.all([invoke(provider, 'connect', 'getAccount'), readNetwork(provider)])
  if (!isProvider(account) || typeof account.address !== 'string') return { status: 'disconnected-by-wallet' }
  return { status: 'open', account: { address: account.address, publicKey: readPublicKey(account.publicKey), network } }
}

/** Null if unknown. */
async function readNetwork(provider: Provider): Promise<string | null> {
  const network = await fetchNetwork(provider)
  return typeof network === 'string' && network !== '' ? network : null
}

/**
 * Changes in Kastle, always as a hint to refresh: the address in an event can be that of the previous network. Each
 * change has two events; one is used. A revoked permission has no event, only a message on `window`.
 */
export const hints$ = (provider: Provider, { page }: WalletEnvironment): Observable<WalletHint> =>
  merge(
    walletEvent$(provider, 'accountsChanged'),
    walletEvent$(provider, 'networkChanged'),
    fromEvent<MessageEvent<unknown>>(page, 'message').pipe(filter(({ data }) => isAboutOurHost(data))),
    fromEvent(page, 'focus'),
  ).pipe(map((): WalletHint => 'changed'))

/** Any script can post this message, so it only triggers a refresh. */
const isAboutOurHost = (data: unknown): boolean =>
  isProvider(data) && data.id === 'kas:host_connected' && data.source === 'background' && data.target === 'browser'

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
function fetchNetwork(provider: Provider): Promise<unknown> {
  if (hasMethods(provider, 'getNetwork')) return invoke(provider, 'connect', 'getNetwork')
  if (hasMethods(provider, 'request')) return invoke(provider, 'connect', 'request', 'kas:get_network')
  return Promise.resolve(undefined)
}
