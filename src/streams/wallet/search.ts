import { ReplaySubject, concat, filter, map, merge, of, take, timer, type Observable, type SchedulerLike } from 'rxjs'
import type { Wallet, WalletsPort } from '../../wallets/port.js'

/** How long, in ms, after the search began, a wallet that is not there yet may still be on its way. */
const INJECTION = 5_000

/** The search for wallets, from its making to its end. */
export interface Search {
  /** Replays what is there now, then each change. */
  readonly wallets$: Observable<readonly Wallet[]>
  /** The wallet of this id, once: the one that is there, or comes in time; else null. */
  find(id: string): Observable<Wallet | null>
  end(): void
}

export function beginSearch(port: WalletsPort, scheduler: SchedulerLike): Search {
  const wallets$ = new ReplaySubject<readonly Wallet[]>(1)
  const late$ = new ReplaySubject<null>(1)
  const search = port.wallets$.subscribe(wallets$)
  search.add(timer(INJECTION, scheduler).subscribe(() => late$.next(null)))
  return {
    wallets$,
    find: (id) => {
      const found$ = wallets$.pipe(
        map((wallets) => wallets.find(({ info }) => info.id === id)),
        filter((wallet) => wallet !== undefined),
      )
      // A wallet that is there goes before the verdict that it is too late for one to come.
      return merge(concat(found$, of(null)), late$).pipe(take(1))
    },
    end: () => {
      search.unsubscribe()
      wallets$.complete()
      late$.complete()
    },
  }
}
