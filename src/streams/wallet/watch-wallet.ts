import {
  EMPTY,
  catchError,
  concat,
  distinctUntilChanged,
  filter,
  interval,
  map,
  merge,
  of,
  skip,
  switchMap,
  timer,
  type Observable,
} from 'rxjs'
import type { Platform } from '../../platform/port.js'
import type { Wallet, WalletHint } from '../../wallets/port.js'
import type { Session, Standing, WalletEvent, WalletPhase } from './phases.js'
import { read$ } from './read.js'

/** How often, in ms, a wallet that tells balances is asked while the page is looked at. */
const REFRESH = 30_000

/** When, in ms after a payment, its wallet is looked at: its figures lag behind until the transaction is in a block. */
const AFTER_PAYMENT = [0, 4_000] as const

type InUse = Extract<Standing, { readonly session: Session }>

export interface WatchDeps {
  readonly platform: Pick<Platform, 'scheduler' | 'visible$'>
  /** Emits after each payment. */
  readonly paid$: Observable<unknown>
}

/** The wallet in use, watched for as long as it is. Listens to no wallet that is not. */
export const watches$ = (phase$: Observable<WalletPhase>, deps: WatchDeps): Observable<WalletEvent> =>
  phase$.pipe(
    map(({ standing }) => standing),
    distinctUntilChanged((a, b) => sessionOf(a) === sessionOf(b)),
    switchMap((standing) => ('session' in standing ? watch$(standing, deps) : EMPTY)),
  )

const sessionOf = (standing: Standing): Session | null => ('session' in standing ? standing.session : null)

/**
 * What becomes known of a wallet: by its own hints, by the page's coming back into view (an unlocked wallet says nothing),
 * by time and by payments. A newer occasion to look overtakes the look under way; one that fails tells nothing.
 */
function watch$(first: InUse, deps: WatchDeps): Observable<WalletEvent> {
  const { session } = first
  const isUncounted = first.status === 'connected' && first.balance === undefined
  const occasions$ = merge(
    isUncounted ? of<WalletHint>('changed') : EMPTY,
    session.wallet.hints$,
    times$(session.wallet, deps).pipe(map((): WalletHint => 'changed')),
  )
  const look$ = read$(session.wallet, deps.platform.scheduler).pipe(
    map((reading): WalletEvent => ({ type: 'looked', session, reading })),
    catchError(() => EMPTY),
  )
  return occasions$.pipe(
    switchMap((hint) =>
      hint === 'withdrawn' ? concat(of<WalletEvent>({ type: 'withdrawn', session }), look$) : look$,
    ),
  )
}

function times$(wallet: Wallet, { platform, paid$ }: WatchDeps): Observable<unknown> {
  const { scheduler, visible$ } = platform
  const seen$ = visible$.pipe(
    skip(1),
    filter((isVisible) => isVisible),
  )
  if (wallet.balance === undefined) return seen$
  const refreshed$ = visible$.pipe(switchMap((isVisible) => (isVisible ? interval(REFRESH, scheduler) : EMPTY)))
  const paid = paid$.pipe(switchMap(() => merge(...AFTER_PAYMENT.map((delay) => timer(delay, scheduler)))))
  return merge(seen$, refreshed$, paid)
}
