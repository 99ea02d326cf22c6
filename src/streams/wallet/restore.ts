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
  type Observable,
  type SchedulerLike,
  ReplaySubject,
  concat,
  filter,
  merge,
  take,
} from 'rxjs'
import type { Wallet, WalletsPort } from '../../wallets/port.js'
import type { Reading, WalletEvent, WalletPhase } from './phases.js'
import { read$ } from './read.js'

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

/** Ms from the start of the search during which a wallet may still be injected. */
const INJECTION_TIMEOUT = 5_000

/** The search for wallets, until `end`. */
export interface Search {
  /** Replays the installed wallets, then emits each change. */
  readonly wallets$: Observable<readonly Wallet[]>
  /** Emits the wallet of this id once, or null if none is injected in time. */
  find(id: string): Observable<Wallet | null>
  end(): void
}

export function startSearch(port: WalletsPort, scheduler: SchedulerLike): Search {
  const wallets$ = new ReplaySubject<readonly Wallet[]>(1)
  const timeout$ = new ReplaySubject<null>(1)
  const search = port.wallets$.subscribe(wallets$)
  search.add(timer(INJECTION_TIMEOUT, scheduler).subscribe(() => timeout$.next(null)))
  return {
    wallets$,
    find: (id) => {
      const found$ = wallets$.pipe(
        map((wallets) => wallets.find(({ info }) => info.id === id)),
        filter((wallet) => wallet !== undefined),
      )
      // An installed wallet takes precedence over the timeout.
      return merge(concat(found$, of(null)), timeout$).pipe(take(1))
    },
    end: () => {
      search.unsubscribe()
      wallets$.complete()
      timeout$.complete()
    },
  }
}
