import { ReplaySubject, defer, distinctUntilChanged, fromEvent, interval, map, merge, take, tap } from 'rxjs'
import type { Observable, Observer } from 'rxjs'
import { memberOf } from './member-of.js'
import type { Wallet } from './port.js'
import { isProvider, type Provider } from './provider.js'
import type { Page, Surroundings } from './surroundings.js'

/** How often, in ms, and how many times a page is looked at for a wallet that may still come: for 5 s. */
const POLL = 200
const POLLS = 25

/** A wallet that puts an object into the page under a name of its own. */
export interface GlobalWallet {
  readonly name: string
  /** What it fires on the window when it has come. */
  readonly event: string
  readonly isIt: (provider: Provider) => boolean
  /** `said$` emits when the event has been, however long ago. */
  readonly create: (provider: Provider, surroundings: Surroundings, said$: Observable<unknown>) => Wallet
}

/**
 * The wallet of a name, once it is there: extensions put it into the page whenever their script has come. Looked for at
 * once, on its event, on the page's own events, and every 200 ms for 5 s. Emits what changes; never completes.
 */
export const globalWallet$ = (wallet: GlobalWallet, surroundings: Surroundings): Observable<Wallet | null> =>
  defer(() => {
    const said$ = new ReplaySubject<unknown>(1) // one of the wallets says it before its object is there
    return occasions$(wallet, surroundings, said$).pipe(
      map(() => find(surroundings.page, wallet)),
      distinctUntilChanged(),
      map((provider) => (provider === null ? null : wallet.create(provider, surroundings, said$))),
    )
  })

const occasions$ = (
  { event }: GlobalWallet,
  { page, platform }: Surroundings,
  said$: Observer<unknown>,
): Observable<unknown> =>
  merge(
    platform.visible$, // at once
    fromEvent(page, event).pipe(tap(said$)),
    fromEvent(page, 'load'),
    fromEvent(page, 'focus'),
    interval(POLL, platform.scheduler).pipe(take(POLLS)),
  )

function find(page: Page, { name, isIt }: GlobalWallet): Provider | null {
  const provider = memberOf(page, name)
  return isProvider(provider) && isIt(provider) ? provider : null
}
