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
  type SchedulerLike,
} from 'rxjs'
import type { Wallet, WalletAccount } from '../../wallets/port.js'
import { isValidAddress } from '../../model/address.js'
import { isAddressOnNetwork, networkOfAddress } from '../../model/network-of-address.js'
import type { Reading } from './phases.js'
import { invalidAccount } from './prompt-errors.js'

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

/**
 * An account whose address has a valid checksum and a known prefix; its network is that of the prefix if the wallet
 * reports none. `wrong-network` if the prefix contradicts the reported network: the wallet still has to replace its
 * address, and a balance or a payment would be of the network that the user has left. Throws `ChainWalletError`
 * (`unexpected-response`) for an invalid address: the page would otherwise show one that loses payments.
 */
export function checkAccount(
  { networks }: Pick<Wallet, 'networks'>,
  account: WalletAccount,
): WalletAccount | 'wrong-network' {
  const { address } = account
  if (!isValidAddress(address)) throw invalidAccount(address)
  if (!isAddressOnNetwork(address, account.network)) return 'wrong-network'
  return { ...account, network: account.network ?? networkOfAddress(address, networks) }
}
