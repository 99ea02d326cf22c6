import {
  ReplaySubject,
  defer,
  distinctUntilChanged,
  fromEvent,
  interval,
  map,
  merge,
  take,
  tap,
  type Observable,
  type Observer,
} from 'rxjs'
import { memberOf } from './foreign-object.js'
import type { Wallet } from './port.js'
import { isProvider, type Provider } from './provider.js'
import type { Page, WalletEnvironment } from './environment.js'

/** Polling for a wallet's object: interval in ms, and count (5 s in total). */
const POLL_INTERVAL = 200
const POLL_COUNT = 25

/** A wallet that sets a property of `window`. */
export interface GlobalWallet {
  readonly name: string
  /** The event that the wallet dispatches on `window` when ready. */
  readonly event: string
  readonly matches: (provider: Provider) => boolean
  /** `initialized$` replays that event. */
  readonly create: (provider: Provider, environment: WalletEnvironment, initialized$: Observable<unknown>) => Wallet
}

/**
 * The wallet at a property of `window`, null until it exists: extensions inject it at any time. Checked on
 * subscription, on the wallet's event, on `load` and `focus`, and every 200 ms for 5 s. Emits changes only; never
 * completes.
 */
export const globalWallet$ = (wallet: GlobalWallet, environment: WalletEnvironment): Observable<Wallet | null> =>
  defer(() => {
    const initialized$ = new ReplaySubject<unknown>(1) // Kastle can dispatch the event before its object exists
    return triggers$(wallet, environment, initialized$).pipe(
      map(() => find(environment.page, wallet)),
      distinctUntilChanged(),
      map((provider) => (provider === null ? null : wallet.create(provider, environment, initialized$))),
    )
  })

const triggers$ = (
  { event }: GlobalWallet,
  { page, platform }: WalletEnvironment,
  initialized$: Observer<unknown>,
): Observable<unknown> =>
  merge(
    platform.visible$, // emits on subscription
    fromEvent(page, event).pipe(tap(initialized$)),
    fromEvent(page, 'load'),
    fromEvent(page, 'focus'),
    interval(POLL_INTERVAL, platform.scheduler).pipe(take(POLL_COUNT)),
  )

function find(page: Page, { name, matches }: GlobalWallet): Provider | null {
  const provider = memberOf(page, name)
  return isProvider(provider) && matches(provider) ? provider : null
}
