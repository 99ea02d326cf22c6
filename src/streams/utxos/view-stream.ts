import {
  BehaviorSubject,
  auditTime,
  catchError,
  combineLatest,
  defer,
  finalize,
  ignoreElements,
  map,
  merge,
  of,
  tap,
  type Observable,
} from 'rxjs'
import { ChainError } from '../../errors/chain-error.js'
import { NETWORKS, type ChainNetwork } from '../../model/network.js'
import type { Scores } from '../scores.js'
import type { NodeLink } from '../session/node-link.js'
import { obstacleTo } from '../session/obstacles.js'
import type { Books } from './books.js'
import { holdOnly, type Holds } from './holds.js'
import type { BookOrders } from './orders.js'
import type { Reservations } from './reservations.js'
import type { UtxoOptions, UtxoState } from './state.js'
import type { Ticks } from './ticks.js'
import { createView, type View } from './view.js'

/** How often, in ms, the mempool is looked at unless a ledger's options say otherwise. */
const MEMPOOL_INTERVAL = 10_000

export interface ViewDeps
  extends Pick<NodeLink, 'facts$' | 'platform'>, Pick<Scores, 'virtualDaaScore$'>, Pick<Reservations, 'reserved$'> {
  readonly books: Books
  readonly holds: Holds
  readonly orders: BookOrders
  readonly ticks: Ticks
  /** Keeps the books while it is subscribed to. */
  readonly keep$: Observable<never>
}

/** What one listener is shown of some addresses on one network, at most once a frame. Never errors. */
export function view$(
  addresses$: Observable<readonly string[]>,
  network: ChainNetwork,
  { coinbaseMaturity = NETWORKS[network].coinbaseMaturity, mempoolInterval = MEMPOOL_INTERVAL }: UtxoOptions,
  deps: ViewDeps,
): Observable<UtxoState> {
  return defer(() => {
    deps.holds.turnTo(network) // before a book is taken: whoever hears of the network first shows none of the old one's
    const view = createView(deps.books, { coinbaseMaturity, mempoolInterval })
    const misfit$ = new BehaviorSubject<ChainError | null>(null)

    const track = (addresses: readonly string[]): void => {
      const judged = addresses.map((address) => ({ address, obstacle: obstacleTo(address, network, null) }))
      misfit$.next(judged.find(({ obstacle }) => obstacle !== undefined)?.obstacle ?? null)
      const fitting = judged.filter(({ obstacle }) => obstacle === undefined).map(({ address }) => address)
      holdOnly(view, new Set(fitting), deps.holds)
      deps.orders.opened$.next()
    }
    const fail = (cause: unknown): Observable<never> => {
      misfit$.next(new ChainError('The stream of addresses to track has failed', { cause, argument: 'addresses' }))
      return misfit$.pipe(ignoreElements())
    }
    const feeding$ = merge(
      deps.keep$,
      feed$(view, misfit$, deps),
      deps.ticks(mempoolInterval),
      addresses$.pipe(tap(track), catchError(fail)),
    )
    // the first look comes last: what its beholder changes at once must find us listening
    const shown$ = merge(view.changed$.pipe(auditTime(0, deps.platform.frames)), of(undefined)).pipe(
      map(() => view.state()),
    )
    return merge(feeding$.pipe(ignoreElements()), shown$).pipe(
      finalize(() => view.close().forEach((book) => deps.holds.release(book))),
    )
  })
}

/** What a view must know besides its books: the clock, payments under way, the node's state. */
const feed$ = (view: View, misfit$: Observable<ChainError | null>, deps: ViewDeps): Observable<unknown> =>
  merge(
    deps.virtualDaaScore$.pipe(tap((score) => view.setScore(score))),
    deps.reserved$.pipe(tap((reserved) => view.setReserved(reserved))),
    combineLatest([deps.facts$, misfit$]).pipe(
      map(([facts, misfit]) => ({ isSynced: facts?.isSynced ?? true, misfit })),
      tap(({ isSynced, misfit }) => view.setSurroundings({ node: isSynced ? 'synced' : 'catching-up', misfit })),
    ),
  )
