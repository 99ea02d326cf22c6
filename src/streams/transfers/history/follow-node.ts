import {
  EMPTY,
  Subject,
  catchError,
  combineLatest,
  defer,
  distinctUntilChanged,
  filter,
  map,
  merge,
  retry,
  switchMap,
  tap,
  throttleTime,
  timer,
  type Observable,
  type SchedulerLike,
} from 'rxjs'
import { toChainError } from '../../../errors/chain-error.js'
import { LONGEST_TIMER } from '../../../loading/abortable.js'
import { tipScoreOf } from '../../../model/chain-cursor/cursor.js'
import { createAddressOfScript } from '../../chain/to-transaction.js'
import type { ChainBatch } from '../../chain/batch.js'
import type { ChainBatches$ } from '../../chain/follow-chain.js'
import { boundedConcatMap } from '../../bursts.js'
import type { NodeLink } from '../../session/node-link.js'
import type { HistoryStore } from './pages.js'
import { readMempool$ } from './read-mempool.js'
import type { HistoriesEvent } from './reduce-histories.js'
import { toRow } from './to-list.js'

export interface HistoryNode extends Pick<
  NodeLink,
  'call' | 'network' | 'network$' | 'platform' | 'responses$' | 'session$'
> {
  readonly chainBatches$: ChainBatches$
}

export interface FollowNode {
  /** Ms between two looks at the mempool, 0 for none; emits at once. */
  readonly interval$: Observable<number>
  /** Emits where an address was added. */
  readonly added$: Observable<unknown>
  /** The chain begins, at first or again after a failure. */
  readonly onStart: () => void
}

const RETRY_AFTER = 5_000
/** Minimum ms between two looks at the mempool that events cause. */
const MIN_INTERVAL = 1_000

/** Follows chain and mempool for all addresses of the histories. Never errors; emits what changes them. */
export const followNode$ = (
  node: HistoryNode,
  { state }: Pick<HistoryStore, 'state'>,
  { interval$, added$, onStart }: FollowNode,
): Observable<HistoriesEvent> =>
  defer(() => {
    const touched$ = new Subject<void>()
    const isWatched = (address: string): boolean => state().byAddress.has(address)
    return merge(
      chain$(node, isWatched, onStart).pipe(tap((event) => isTouched(event) && touched$.next())),
      mempool$(node, state, merge(touched$, added$, ownPayments$(node)), interval$),
    )
  })

function chain$(
  { chainBatches$, platform }: HistoryNode,
  isWatched: (address: string) => boolean,
  onStart: () => void,
): Observable<HistoriesEvent> {
  const failed$ = new Subject<HistoriesEvent>()
  const batches$ = defer(() => {
    onStart()
    return chainBatches$()
  }).pipe(
    map((batch, index) => toEvent(batch, isWatched, index === 0 ? startOf(batch) : null)),
    retry({
      delay: (error: unknown) => {
        failed$.next({ type: 'chain-failed', error: toChainError(error, 'The chain cannot be followed') })
        return timer(RETRY_AFTER, platform.scheduler)
      },
    }),
  )
  return merge(failed$, batches$)
}

/** The blue score after which the blocks of a first batch begin. */
const startOf = ({ blocks, cursor }: ChainBatch): bigint =>
  blocks[0] === undefined ? tipScoreOf(cursor) : blocks[0].blueScore - 1n

function toEvent(
  { rollback, blocks, isLive }: ChainBatch,
  isWatched: (address: string) => boolean,
  startsAfter: bigint | null,
): HistoriesEvent {
  const rows = blocks.flatMap(({ transactions, ...block }) =>
    transactions.flatMap((transaction) => toRow(transaction, block, isWatched) ?? []),
  )
  const tip = blocks.at(-1)?.blueScore ?? null
  return { type: 'chain', startsAfter, rollback: rollback?.blueScore ?? null, tip, rows, isLive }
}

const isTouched = (event: HistoriesEvent): boolean =>
  event.type === 'chain' && (event.rollback !== null || event.rows.length > 0)

/**
 * The moments at which the mempool is looked at: now, and after each interval. A timer whose interval is 0, or above
 * 2^31 ms, would fire without a pause.
 */
export const looks$ = (ms: number, scheduler: SchedulerLike): Observable<unknown> =>
  ms === 0 ? timer(0, scheduler) : timer(0, Math.min(ms, LONGEST_TIMER), scheduler)

/** Looks at the mempool at an interval, and after each event that may have changed it. */
const mempool$ = (
  { session$, platform, call, network }: HistoryNode,
  state: HistoryStore['state'],
  touched$: Observable<unknown>,
  interval$: Observable<number>,
): Observable<HistoriesEvent> =>
  combineLatest([session$, interval$.pipe(distinctUntilChanged())]).pipe(
    switchMap(([session, interval]) =>
      session === null ? EMPTY : merge(looks$(interval, platform.scheduler), touched$),
    ),
    throttleTime(MIN_INTERVAL, platform.scheduler, { leading: true, trailing: true }),
    // what changes during a read is in the next one
    boundedConcatMap(
      1,
      () => 1,
      () =>
        readMempool$({ call }, [...state().byAddress.keys()], createAddressOfScript(network())).pipe(
          catchError(() => EMPTY), // the next look corrects it
        ),
    ),
    map((transactions): HistoriesEvent => ({ type: 'mempool', transactions })),
  )

const ownPayments$ = ({ responses$ }: HistoryNode): Observable<unknown> =>
  responses$.pipe(filter((method) => method === 'submitTransaction' || method === 'submitTransactionReplacement'))
