import {
  combineLatest,
  map,
  of,
  ReplaySubject,
  defer,
  distinctUntilChanged,
  fromEvent,
  interval,
  merge,
  take,
  tap,
  type Observable,
  type Observer,
} from 'rxjs'
import { announcedWallets$ } from './announced/announced-wallets.js'
import { memberOf } from './to-wallet-error.js'
import type { WalletsPort, Wallet } from './port.js'
import type { Page, WalletEnvironment } from './environment.js'
import { createWalletA, isWalletA } from './wallet-a/wallet-a.js'
import { RELAY_READY } from './wallet-b/account.js'
import { createWalletB, isWalletB } from './wallet-b/wallet-b.js'
import { isProvider, type Provider } from './provider.js'

const KASWARE: GlobalWallet = {
  name: 'kasware',
  event: 'kasware#initialized',
  matches: (provider) => isWalletA(provider) && memberOf(provider, 'isKcc20Shim') !== true, // of another wallet's page
  create: createWalletA,
}

const KASTLE: GlobalWallet = { name: 'kastle', event: RELAY_READY, matches: isWalletB, create: createWalletB }

/** The wallets of a page: KasWare and Kastle, then announced ones. */
export function createPageWallets(platform: WalletEnvironment['platform'], page = currentPage()): WalletsPort {
  if (page === null) return { wallets$: of([]) } // a server or a worker has no wallets
  const environment = { page, platform }
  const named$ = [KASWARE, KASTLE].map((wallet) => globalWallet$(wallet, environment))
  return {
    wallets$: combineLatest([...named$, announcedWallets$(environment)]).pipe(
      map((found) => found.flat().filter((wallet) => wallet !== null)),
    ),
  }
}

const currentPage = (): Page | null => (typeof window === 'undefined' ? null : window)

/** Polling for a wallet's object: interval in ms, and count (5 s in total). */
const POLL_INTERVAL = 200
const POLL_COUNT = 25

/** A wallet that sets a property of `window`. */
interface GlobalWallet {
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
const globalWallet$ = (wallet: GlobalWallet, environment: WalletEnvironment): Observable<Wallet | null> =>
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
