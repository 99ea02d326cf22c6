import {
  EMPTY,
  catchError,
  concatMap,
  distinctUntilChanged,
  from,
  last,
  map,
  of,
  startWith,
  switchMap,
  takeWhile,
  timer,
} from 'rxjs'
import type { Observable, SchedulerLike } from 'rxjs'
import type { Wallet } from '../../wallets/port.js'
import type { Reading, WalletEvent, WalletPhase } from './phases.js'
import { read$ } from './read.js'
import type { Search } from './search.js'

/**
 * Delays in ms between reads of a wallet without an account: an extension that is just starting may not know the site
 * yet.
 */
const READ_DELAYS = [0, 500, 500, 1_000] as const

/** Restores the last visit's wallet while the state is `restoring`. Never prompts. */
export const restoredWallet$ = (
  phase$: Observable<WalletPhase>,
  search: Pick<Search, 'find'>,
  scheduler: SchedulerLike,
): Observable<WalletEvent> =>
  phase$.pipe(
    map(({ connection }) => (connection.status === 'restoring' ? connection.wallet : null)),
    distinctUntilChanged(),
    switchMap((id) => (id === null ? EMPTY : restore$(search.find(id), scheduler))),
  )

const restore$ = (found$: Observable<Wallet | null>, scheduler: SchedulerLike): Observable<WalletEvent> =>
  found$.pipe(
    switchMap((wallet): Observable<WalletEvent> => {
      if (wallet === null) return of({ type: 'notFound' })
      const session = { wallet }
      return wallet.hints$.pipe(
        startWith('changed'), // each hint starts over, since an earlier result may belong to another account
        switchMap(() => reads$(wallet, scheduler)),
        map((reading) => ({ type: 'restored', session, reading })),
      )
    }),
  )

/** The first reading with an account, else the last reading. */
const reads$ = (wallet: Wallet, scheduler: SchedulerLike): Observable<Reading> =>
  from(READ_DELAYS).pipe(
    concatMap((delay) => timer(delay, scheduler)),
    concatMap(() => read$(wallet, scheduler).pipe(catchError(() => of<Reading>({ status: 'disconnected-by-wallet' })))),
    takeWhile(({ status }) => status !== 'open' && status !== 'wrong-network', true),
    last(),
  )
