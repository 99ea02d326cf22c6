import {
  BehaviorSubject,
  EMPTY,
  Subject,
  catchError,
  combineLatest,
  defer,
  exhaustMap,
  filter,
  from,
  map,
  merge,
  mergeMap,
  of,
  retry,
  scan,
  startWith,
  switchMap,
  tap,
  throttleTime,
  timer,
  type Observable,
} from 'rxjs'
import { toChainError, type ChainError } from '../../../errors/chain-error.js'
import { decodeCursor } from '../../../model/chain-cursor/cursor.js'
import type { ChainNetwork } from '../../../model/network.js'
import { createAddressOfScript } from '../../chain/address-of-script.js'
import type { ChainBatch } from '../../chain/batch.js'
import type { ChainBatches$ } from '../../chain/follow-chain.js'
import type { NodeLink } from '../../session/node-link.js'
import type { Freshness } from '../../utxos/state.js'
import type { AddressFilter } from '../extract.js'
import { toEntry, type TransferEntry } from './entry.js'
import { readMempool$ } from './read-mempool.js'
import { NO_TRANSFERS, type TransferHistory, type TransferHistoryOptions, type TransferHistoryState } from './state.js'
import { EMPTY_HISTORY, reduceHistory, toList, type History, type HistoryEvent } from './reduce-history.js'

/** Reads older transactions from the indexer, page by page, of all addresses together. */
export interface OlderPages {
  /** The next older page; completes without one where there are none. */
  readonly next: () => Promise<OlderPage>
  /** The newest page again, for what the indexer had not yet stored. */
  readonly newest: () => Promise<readonly TransferEntry[]>
}

export interface OlderPage {
  readonly entries: readonly TransferEntry[]
  /** The time, in Unix ms, from which all pages so far are complete; null after the last page. */
  readonly completeFrom: number | null
}

export interface TransferHistoryDeps extends Pick<
  NodeLink,
  'call' | 'network' | 'platform' | 'responses$' | 'session$'
> {
  readonly chainBatches$: ChainBatches$
  /** Older transactions, from the indexer. */
  readonly olderPages: (addresses: readonly string[], limit: number, filter: AddressFilter) => OlderPages
}

/** How long after the beginning, in ms, the newest page is read again: by then the indexer has what the chain had at first. */
const READ_AGAIN = [5_000, 30_000]
const RETRY_AFTER = 5_000
/** Minimum ms between two looks at the mempool that events cause. */
const MIN_INTERVAL = 1_000

/** A history of addresses, which may change: then it begins again. */
export function createTransferHistory(
  deps: TransferHistoryDeps,
  addresses$: Observable<readonly string[]>,
  options: TransferHistoryOptions = {},
): TransferHistory {
  const more$ = new Subject<void>()
  const state$ = addresses$.pipe(
    switchMap((addresses) => (addresses.length === 0 ? of(NO_TRANSFERS) : historyOf$(deps, addresses, options, more$))),
  )
  return { state$, loadMore: () => more$.next() }
}

/** What was read so far. */
interface View {
  readonly history: History
  /** Whether the end of the chain was reached once. */
  readonly isFollowed: boolean
  /** Whether the indexer has no older page; null before its first one. */
  readonly isComplete: boolean | null
}

function historyOf$(
  deps: TransferHistoryDeps,
  addresses: readonly string[],
  { limit = 20, indexer = true, mempoolInterval = 10_000 }: TransferHistoryOptions,
  more$: Observable<void>,
): Observable<TransferHistoryState> {
  const watched = new Set(addresses)
  const own: AddressFilter = { isWatched: (address) => watched.has(address), isChange: () => false }
  return defer(() => {
    const pages = indexer ? deps.olderPages(addresses, limit, own) : null
    const error$ = new BehaviorSubject<ChainError | null>(null)
    const touched$ = new Subject<void>()
    const event$ = merge(
      chain$(deps, own, pages, error$).pipe(tap((event) => isTouched(event) && touched$.next())),
      pages === null ? EMPTY : olderPages$(pages, more$, error$),
      mempool$(deps, addresses, own, merge(touched$, ownPayments$(deps)), mempoolInterval),
    )
    const start: View = { history: EMPTY_HISTORY, isFollowed: false, isComplete: pages === null ? true : null }
    const view$ = event$.pipe(scan(reduceView, start), startWith(start))
    return combineLatest([view$, deps.session$.pipe(map((session) => session !== null)), error$]).pipe(map(toState))
  })
}

/** The chain from now on, and the newest page of the indexer again once it has stored what was accepted before. */
function chain$(
  { chainBatches$, platform, network }: TransferHistoryDeps,
  own: AddressFilter,
  pages: OlderPages | null,
  error$: Subject<ChainError | null>,
): Observable<HistoryEvent> {
  const batches$ = chainBatches$().pipe(
    tap(() => error$.next(null)),
    map((batch, index) => toChainEvent(batch, own, index === 0 ? startOf(batch, network()) : null)),
  )
  const again$ = from(pages === null ? [] : READ_AGAIN).pipe(
    mergeMap((ms) => timer(ms, platform.scheduler)),
    exhaustMap(() => from(pages?.newest() ?? [])),
    map((entries): HistoryEvent => ({ type: 'newest-page', entries })),
    catchError(() => EMPTY), // the failure of the first page is reported
  )
  return merge(batches$, again$).pipe(
    retry({
      delay: (error: unknown) => {
        error$.next(toChainError(error, 'The chain cannot be followed'))
        return timer(RETRY_AFTER, platform.scheduler)
      },
    }),
  )
}

/** The blue score after which the blocks of a first batch begin. */
const startOf = ({ blocks, cursor }: ChainBatch, network: ChainNetwork): bigint =>
  blocks[0] === undefined ? decodeCursor(cursor, network).tip.blueScore : blocks[0].blueScore - 1n

function toChainEvent(
  { rollback, blocks, isLive }: ChainBatch,
  own: AddressFilter,
  startsAfter: bigint | null,
): HistoryEvent {
  const entries = blocks.flatMap(({ transactions, ...block }) =>
    transactions.flatMap((transaction) => toEntry(transaction, block, own) ?? []),
  )
  return { type: 'chain', startsAfter, rollback: rollback?.blueScore ?? null, entries, isLive }
}

const isTouched = (event: HistoryEvent): boolean =>
  event.type === 'chain' && (event.rollback !== null || event.entries.length > 0)

/** The first page at once, each further one on request. */
const olderPages$ = (
  pages: OlderPages,
  more$: Observable<void>,
  error$: Subject<ChainError | null>,
): Observable<HistoryEvent> =>
  more$.pipe(
    startWith(undefined),
    exhaustMap(() =>
      from(pages.next()).pipe(
        catchError((error: unknown) => {
          error$.next(toChainError(error, 'The indexer cannot be read'))
          return EMPTY
        }),
      ),
    ),
    map((page): HistoryEvent => ({ type: 'page', ...page })),
  )

/** Looks at the mempool at an interval, and after each event that may have changed it. */
const mempool$ = (
  { session$, platform, call, network }: TransferHistoryDeps,
  addresses: readonly string[],
  own: AddressFilter,
  touched$: Observable<unknown>,
  interval: number,
): Observable<HistoryEvent> =>
  session$.pipe(
    switchMap((session) => (session === null ? EMPTY : merge(timer(0, interval, platform.scheduler), touched$))),
    throttleTime(MIN_INTERVAL, platform.scheduler, { leading: true, trailing: true }),
    exhaustMap(() => readMempool$({ call }, addresses, own, createAddressOfScript(network()))),
    map((entries): HistoryEvent => ({ type: 'mempool', entries })),
  )

const ownPayments$ = ({ responses$ }: TransferHistoryDeps): Observable<unknown> =>
  responses$.pipe(filter((method) => method === 'submitTransaction' || method === 'submitTransactionReplacement'))

function reduceView(view: View, event: HistoryEvent): View {
  const history = reduceHistory(view.history, event)
  if (event.type === 'chain') return { ...view, history, isFollowed: view.isFollowed || event.isLive }
  return event.type === 'page' ? { ...view, history, isComplete: event.completeFrom === null } : { ...view, history }
}

function toState([view, isConnected, error]: [View, boolean, ChainError | null]): TransferHistoryState {
  const { history, isFollowed, isComplete } = view
  const isLoading = !isFollowed || (isComplete === null && error === null)
  const freshness: Freshness = isLoading ? 'loading' : isConnected ? 'fresh' : 'stale'
  return { transfers: toList(history), freshness, error, hasMore: isComplete === false }
}
