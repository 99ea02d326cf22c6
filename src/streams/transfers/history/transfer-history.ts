import {
  Subject,
  combineLatest,
  defer,
  distinctUntilChanged,
  finalize,
  ignoreElements,
  map,
  merge,
  of,
  switchMap,
  tap,
  type Observable,
} from 'rxjs'
import type { ChainError } from '../../../errors/chain-error.js'
import type { NodeLink } from '../../session/node-link.js'
import type { Freshness } from '../../utxos/view/state.js'
import type { AddressHistory, Histories } from './reduce-histories.js'
import type { SharedHistories } from './shared-histories.js'
import { NO_TRANSFERS, type TransferHistory, type TransferHistoryOptions, type TransferHistoryState } from './state.js'
import { createToList, type ListSettings, type TransferList } from './to-list.js'

/** A history of addresses, which may change. */
export function createTransferHistory(
  deps: SharedHistories & Pick<NodeLink, 'session$'>,
  addresses$: Observable<readonly string[]>,
  options: TransferHistoryOptions = {},
): TransferHistory {
  const more$ = new Subject<void>()
  const state$ = addresses$.pipe(
    map((addresses): ReadonlySet<string> => new Set(addresses)),
    distinctUntilChanged(isSameSet),
    switchMap((addresses) => (addresses.size === 0 ? of(NO_TRANSFERS) : listOf$(deps, addresses, options, more$))),
  )
  return { state$, loadMore: () => more$.next() }
}

const isSameSet = (left: ReadonlySet<string>, right: ReadonlySet<string>): boolean =>
  left.size === right.size && [...left].every((address) => right.has(address))

const listOf$ = (
  { histories$, open, session$ }: SharedHistories & Pick<NodeLink, 'session$'>,
  addresses: ReadonlySet<string>,
  { limit = 20, indexer = true, mempoolInterval = 10_000 }: TransferHistoryOptions,
  more$: Observable<void>,
): Observable<TransferHistoryState> =>
  defer(() => {
    const list = open({ addresses, indexer, limit, mempoolInterval })
    const toList = createToList({ addresses, indexer })
    const isConnected$ = session$.pipe(map((session) => session !== null))
    const content$ = histories$.pipe(distinctUntilChanged(hasSameContent))
    const state$ = combineLatest([content$, list.shown$, isConnected$]).pipe(
      map(([histories, shown, isConnected]) =>
        toState(toList(histories, shown), histories, { addresses, indexer }, isConnected),
      ),
    )
    const paging$ = more$.pipe(
      tap(() => list.more()),
      ignoreElements(),
    )
    return merge(paging$, state$).pipe(finalize(() => list.unsubscribe()))
  })

/** Most blocks move only the position of the chain. */
const hasSameContent = (left: Histories, right: Histories): boolean =>
  left.live === right.live &&
  left.older === right.older &&
  left.unconfirmed === right.unconfirmed &&
  left.byAddress === right.byAddress &&
  left.isLive === right.isLive &&
  left.chainError === right.chainError

function toState(
  { transfers, hasMore }: TransferList,
  { byAddress, isLive, chainError }: Histories,
  { addresses, indexer }: ListSettings,
  isConnected: boolean,
): TransferHistoryState {
  const histories = [...addresses].flatMap((address) => byAddress.get(address) ?? [])
  const pageError = indexer ? firstError(histories) : null
  const isRead = !indexer || pageError !== null || histories.every(({ before }) => before !== undefined)
  const isFollowed = isLive && histories.every(({ since }) => since !== null)
  const freshness: Freshness = !isFollowed || !isRead ? 'loading' : isConnected ? 'fresh' : 'stale'
  return { transfers, freshness, error: chainError ?? pageError, hasMore }
}

const firstError = (histories: readonly AddressHistory[]): ChainError | null =>
  histories.find(({ error }) => error !== null)?.error ?? null
