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
import { checkAccount } from './check-account.js'
import type { Reading } from './phases.js'

/** Ms for which an account is withheld until its balance is read; a wallet queries its network for the balance. */
const BALANCE_WAIT = 1_000

/** Reads a wallet: account and balance together, or the account first when the balance takes longer. */
export const read$ = (wallet: Wallet, scheduler: SchedulerLike): Observable<Reading> =>
  defer(() => wallet.refresh()).pipe(
    switchMap((snapshot) =>
      snapshot.status === 'open' ? withBalance$(wallet, snapshot.account, scheduler) : of(snapshot),
    ),
  )

/**
 * An account with its balance; none of either while address and network contradict each other. Errors if the address is
 * invalid: every account becomes state here.
 */
export function withBalance$(wallet: Wallet, read: WalletAccount, scheduler: SchedulerLike): Observable<Reading> {
  const account = checkAccount(wallet, read)
  if (account === 'wrong-network') return of({ status: account })
  if (wallet.balance === undefined) return of({ status: 'open', account, balance: null })
  const { balance } = wallet
  return defer(balance).pipe(
    catchError(() => of(null)), // the account is usable without its balance
    connect((balance$) =>
      merge(
        balance$,
        timer(BALANCE_WAIT, scheduler).pipe(
          map(() => undefined),
          takeUntil(balance$),
        ),
      ),
    ),
    map((value) => ({ status: 'open', account, balance: value })),
  )
}

/**
 * The first reading of a wallet, started again on each hint, since an earlier result may belong to another account.
 * Does not complete with the reading: take one.
 */
export const untilComplete$ = (wallet: Wallet, first$: Observable<Reading>, scheduler: SchedulerLike) =>
  wallet.hints$.pipe(
    map(() => read$(wallet, scheduler)),
    startWith(first$),
    switchAll(),
  )
