import {
  catchError,
  connect,
  defer,
  map,
  merge,
  of,
  startWith,
  switchAll,
  switchMap,
  takeUntil,
  timer,
  type Observable,
} from 'rxjs'
import type { SchedulerLike } from 'rxjs'
import type { Wallet, WalletAccount } from '../../wallets/port.js'
import type { Reading } from './phases.js'

/** How long, in ms, an account waits to be shown together with its money; a wallet asks its network for that. */
const TOGETHER = 1_000

/** A look at a wallet: account and balance together, or the account first where the balance keeps us waiting. */
export const read$ = (wallet: Wallet, scheduler: SchedulerLike): Observable<Reading> =>
  defer(() => wallet.look()).pipe(
    switchMap((glimpse) =>
      glimpse.status === 'open' ? withBalance$(wallet, glimpse.account, scheduler) : of(glimpse),
    ),
  )

/** An account with its money. */
export function withBalance$(wallet: Wallet, account: WalletAccount, scheduler: SchedulerLike): Observable<Reading> {
  if (wallet.balance === undefined) return of({ status: 'open', account, balance: null })
  const { balance } = wallet
  return defer(balance).pipe(
    catchError(() => of(null)), // an account without its balance is better than none
    connect((balance$) =>
      merge(
        balance$,
        timer(TOGETHER, scheduler).pipe(
          map(() => undefined),
          takeUntil(balance$),
        ),
      ),
    ),
    map((money) => ({ status: 'open', account, balance: money })),
  )
}

/**
 * A first reading of a wallet that nobody watches yet, begun anew whenever the wallet hints at a change meanwhile: what was
 * read before may be of another account. Take one: it goes on for as long as it is listened to.
 */
export const untilWhole$ = (wallet: Wallet, first$: Observable<Reading>, scheduler: SchedulerLike) =>
  wallet.hints$.pipe(
    map(() => read$(wallet, scheduler)),
    startWith(first$),
    switchAll(),
  )
