import { EMPTY, defer, isObservable, merge, of, skip, switchMap, take, type Observable } from 'rxjs'
import type { ConnectionState } from '../connection/state.js'
import type { NodeLink } from '../session/node-link.js'
import { shareLatest } from '../share-latest.js'
import type { UtxoLedger, UtxoOptions, UtxoState } from './state.js'
import { untilRead } from './until-read.js'
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
  const { books, orders, connection } = deps
  const addresses$ = isObservable(addresses) ? addresses : of(addresses)
  const state$ = deps.network$.pipe(
    switchMap((network) => view$(addresses$, network, options, deps)),
    shareLatest(deps.ended$),
  )
  /** The states that follow once all has been ordered to be read again. */
  const rereading$ = state$.pipe(
    take(1),
    switchMap((state) => (state.addresses.length === 0 ? of(state) : merge(state$.pipe(skip(1)), order$(state)))),
  )
  const order$ = (state: UtxoState): Observable<never> =>
    defer(() => {
      const read = state.addresses.flatMap((address) => books.all.get(address) ?? [])
      orders.invalidated$.next(read)
      orders.looks$.next(read)
      return EMPTY
    })
  return {
    state$,
    settled: (wait) => untilRead(state$, isRead, connection.state$, wait),
    refresh: (wait) => untilRead(rereading$, isUpToDate, connection.state$, wait),
  }
}

/** Everything has been read once, however long ago; nothing is nothing to read, unless all of it was refused. */
const isRead = ({ addresses, freshness, reason }: UtxoState): boolean =>
  reason !== 'wrong-network' && (freshness === 'fresh' || freshness === 'stale' || addresses.length === 0)

const isUpToDate = ({ addresses, freshness, reason }: UtxoState): boolean =>
  freshness === 'fresh' || reason === 'not-synced' || addresses.length === 0
