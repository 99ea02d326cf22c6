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

/** When, in ms, a wallet that shows no account is looked at again: one that has just woken up may not know us yet. */
const LOOKS = [0, 500, 500, 1_000] as const

/** Takes up the wallet of the last visit, for as long as nobody wishes for something else. Asks nobody. */
export const restorals$ = (
  phase$: Observable<WalletPhase>,
  search: Pick<Search, 'find'>,
  scheduler: SchedulerLike,
): Observable<WalletEvent> =>
  phase$.pipe(
    map(({ standing }) => (standing.status === 'restoring' ? standing.wallet : null)),
    distinctUntilChanged(),
    switchMap((id) => (id === null ? EMPTY : restore$(search.find(id), scheduler))),
  )

const restore$ = (found$: Observable<Wallet | null>, scheduler: SchedulerLike): Observable<WalletEvent> =>
  found$.pipe(
    switchMap((wallet): Observable<WalletEvent> => {
      if (wallet === null) return of({ type: 'missed' })
      const session = { wallet }
      return wallet.hints$.pipe(
        startWith('changed'), // each begins anew: what was read before may be of another account
        switchMap(() => looks$(wallet, scheduler)),
        map((reading) => ({ type: 'restored', session, reading })),
      )
    }),
  )

/** The first look that shows an account, or the last. */
const looks$ = (wallet: Wallet, scheduler: SchedulerLike): Observable<Reading> =>
  from(LOOKS).pipe(
    concatMap((delay) => timer(delay, scheduler)),
    concatMap(() => read$(wallet, scheduler).pipe(catchError(() => of<Reading>({ status: 'gone' })))),
    takeWhile(({ status }) => status !== 'open', true),
    last(),
  )
