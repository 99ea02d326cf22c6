import {
  auditTime,
  defer,
  ignoreElements,
  isObservable,
  map,
  merge,
  of,
  switchMap,
  take,
  takeUntil,
  type Observable,
} from 'rxjs'
import type { ConnectionState } from '../connection/state.js'
import type { NodeLink } from '../session/node-link.js'
import { shareLatest } from '../share-latest.js'
import type { UtxoLedger, UtxoOptions } from './state.js'
import { summarize, type Surroundings } from './summary.js'
import { untilRead, type Progress } from './until-read.js'
import { view$, type ViewDeps } from './view-stream.js'

export interface LedgerDeps extends ViewDeps, Pick<NodeLink, 'network$' | 'ended$'> {
  readonly connection: { readonly state$: Observable<ConnectionState> }
}

/** One listener's ledger over the shared books. Another network is another ledger: it begins anew. */
export function createLedger(
  addresses: readonly string[] | Observable<readonly string[]>,
  options: UtxoOptions,
  deps: LedgerDeps,
): UtxoLedger {
  const { books, orders, connection, platform } = deps
  const addresses$ = isObservable(addresses) ? addresses : of(addresses)
  const state$ = deps.network$.pipe(
    switchMap((network) => view$(addresses$, network, options, deps)),
    shareLatest(deps.ended$),
  )
  /** What is shown once all that has happened so far is: the latest state may not know yet of an address just added. */
  const shown$ = state$.pipe(auditTime(0, platform.frames))
  /** How far the books of a state have got since they were to be read again, by themselves: a node may be done within a frame. */
  const progressOf$ = (addresses: readonly string[]): Observable<Progress> => {
    const some = addresses.flatMap((address) => books.all.get(address) ?? [])
    const progress = (): Progress => ({ addresses, ...summarize(some, UNOBSTRUCTED) })
    const ordered$ = defer(() => {
      orders.invalidated$.next(some)
      orders.looks$.next(some)
      return of(undefined)
    })
    return merge(books.moved$, ordered$).pipe(auditTime(0, platform.frames), map(progress)) // when it is in, it is shown
  }
  const rereading$ = shown$.pipe(
    take(1),
    switchMap(({ addresses, freshness, reason, error }): Observable<Progress> =>
      reason === 'wrong-network' ? of({ addresses, freshness, reason, error }) : progressOf$(addresses),
    ),
    takeUntil(deps.ended$),
  )
  const kept$ = state$.pipe(ignoreElements())
  return {
    state$,
    settled: (wait) => untilRead(shown$, isRead, connection.state$, wait),
    refresh: (wait) => untilRead(merge(kept$, rereading$), isUpToDate, connection.state$, wait),
  }
}

/** Nothing but the books themselves is of interest. */
const UNOBSTRUCTED: Surroundings = { node: 'synced', misfit: null }

/** Everything has been read once, however long ago; nothing is nothing to read, unless all of it was refused. */
const isRead = ({ addresses, freshness, reason }: Progress): boolean =>
  reason !== 'wrong-network' && (freshness === 'fresh' || freshness === 'stale' || addresses.length === 0)

const isUpToDate = ({ addresses, freshness, reason }: Progress): boolean =>
  freshness === 'fresh' || reason === 'not-synced' || addresses.length === 0
