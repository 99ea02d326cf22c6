import { ReplaySubject, concat, filter, map, merge, of, take, timer, type Observable, type SchedulerLike } from 'rxjs'
import type { Wallet, WalletsPort } from '../../wallets/port.js'

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
