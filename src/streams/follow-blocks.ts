import {
  EMPTY,
  ReplaySubject,
  combineLatest,
  concat,
  defer,
  delayWhen,
  distinctUntilChanged,
  filter,
  ignoreElements,
  map,
  merge,
  of,
  share,
  switchMap,
  takeUntil,
  tap,
  type Observable,
  catchError,
  Subject,
  timer,
} from 'rxjs'
import type { RpcBlock } from '../node/messages/records.js'
import { createSeenBlocks, type SeenBlocks, fetchBlocksSince$ } from './fetch-blocks.js'
import type { NodeLink } from './session/node-link.js'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { Gap } from './acceptance/acceptance.js'
import { retryWithBackoff, isPermanent, toRpcError } from './failed-requests.js'
import { withinBudget, type Budget } from './look-back-budget.js'
import { refuseUnknown } from '../errors/chain-error.js'
import type { BlockInfo } from '../model/block.js'
import { toBlockInfo } from '../node/block-info.js'
import { toHistoryLimit, createHistory, type History } from './history.js'
import { createPlacement, type Placement } from './placement.js'

/** Of all attempts of one backfill: a node that responds to every second request would otherwise never end it. */
const BUDGET: Budget = { requests: 60, time: 300_000 }

type FollowBlocksDeps = BackfillDeps & Pick<NodeLink, 'session$' | 'network$' | 'placed$' | 'events$' | 'malformed$'>

/**
 * Every block the node adds, once. Backfills before it continues with notifications after an interruption. On another
 * network it starts at the sink. Never errors.
 */
const followBlocks$ = (deps: FollowBlocksDeps): Observable<RpcBlock> =>
  defer(() => {
    const notified$ = deps.events$('block-added').pipe(
      map(({ data }) => data.block),
      share(),
    )
    const newBlocks$ = deps.network$.pipe(switchMap(() => newBlocksOf$(createSeenBlocks(), notified$, deps)))
    // stays subscribed between sessions, so that the scope remains wanted
    return merge(notified$.pipe(ignoreElements()), newBlocks$)
  })

/** Blocks new to `seen`, while `block-added` is subscribed. */
const newBlocksOf$ = (
  seen: SeenBlocks,
  notified$: Observable<RpcBlock>,
  deps: FollowBlocksDeps,
): Observable<RpcBlock> =>
  resumptions$(deps).pipe(switchMap((isSubscribed) => (isSubscribed ? resume$(notified$, seen, deps) : EMPTY)))

/** Whether `block-added` is subscribed, after each moment at which a block may have been missed. */
const resumptions$ = ({ session$, placed$, malformed$ }: FollowBlocksDeps): Observable<boolean> => {
  const isSubscribed$ = combineLatest([session$, placed$]).pipe(
    map(([session, placed]) => session !== null && placed.scopes.has('block-added')),
    distinctUntilChanged(),
  )
  return combineLatest([isSubscribed$, concat(of(null), malformed$)]).pipe(map(([isSubscribed]) => isSubscribed))
}

/**
 * Backfilled blocks, then notified ones, which are buffered during the backfill. At the first start there is nothing to
 * backfill.
 */
function resume$(notified$: Observable<RpcBlock>, seen: SeenBlocks, deps: FollowBlocksDeps): Observable<RpcBlock> {
  const newBlocks$ = notified$.pipe(filter((block) => seen.addNotified(block)))
  if (seen.heaviest() === null) return merge(newBlocks$, startAtSink$(seen, deps))
  const received = new Set<string>()
  const backfilled$ = new ReplaySubject<void>(1)
  const deferred$ = notified$.pipe(
    delayWhen(() => backfilled$),
    filter((block) => seen.addNotified(block)),
  )
  const received$ = notified$.pipe(
    tap(({ header }) => received.add(header.hash)),
    ignoreElements(),
    takeUntil(backfilled$),
  )
  return merge(
    received$,
    deferred$,
    backfillBlocks$(seen, received, deps).pipe(tap({ complete: () => backfilled$.next() })),
  )
}

interface BackfillDeps extends Pick<NodeLink, 'call' | 'platform'> {
  readonly onGap: (gap: Gap) => void
}

/**
 * The blocks since the heaviest emitted one, up to those in `received`. A retry continues where the failed attempt
 * stopped. Reports a gap where retries fail.
 */
export function backfillBlocks$(
  seen: SeenBlocks,
  received: ReadonlySet<string>,
  deps: BackfillDeps,
): Observable<RpcBlock> {
  const { call, platform, onGap } = deps
  const budgeted = withinBudget(call, BUDGET, platform)
  const blocks$ = defer(() => {
    const heaviest = seen.heaviest()
    return heaviest === null ? EMPTY : fetchBlocksSince$(heaviest, budgeted, received)
  })
  return blocks$.pipe(
    filter((block) => seen.addFetched(block)),
    retryWithBackoff(deps, isTransient),
    catchError((error: unknown) => {
      const cause = toRpcError('getBlocks', error)
      onGap({ stream: 'blocks', from: seen.heaviest(), to: null, cause, timestamp: platform.now() })
      return EMPTY
    }),
  )
}

/**
 * Records the current sink, so that an outage before the first block can be backfilled. If that fails, the first
 * notified block is the start. Emits nothing.
 */
const startAtSink$ = (seen: SeenBlocks, deps: BackfillDeps): Observable<never> =>
  deps.call('getSink', {}).pipe(
    tap(({ sink }) => seen.start(sink)),
    ignoreElements(),
    retryWithBackoff(deps, isTransient),
    catchError(() => EMPTY),
  )

const isTransient = (error: unknown): boolean => error instanceof ChainRpcError && !isPermanent(error)

/**
 * How long, in ms, the position in the DAG is kept after the last subscriber, so that an immediate resubscription has
 * no gap.
 */
const LINGER = 1_000

/** Blocks as the node adds them to its DAG. */
export interface Blocks {
  /**
   * Every block since the first subscription, once, in the node's order. Blocks of an outage are backfilled after it;
   * those that could not be fetched, or are too many, are reported in `gaps$`. Hot and shared; replays nothing, never
   * errors, completes with the engine. Source: `block-added`, subscribed while there are subscribers, and `getBlocks`
   * after an outage.
   */
  readonly blocks$: Observable<BlockInfo>
  /**
   * What is missing from `blocks$`. Hot and shared; replays nothing, never errors, completes with the engine; sends no
   * requests.
   */
  readonly gaps$: Observable<Gap>
  /**
   * The newest blocks, newest first, at most `maxHistory` (100). Each call creates a list. Throws `ChainError`
   * (`invalid-argument`) for an invalid `maxHistory`.
   */
  readonly history: (options?: { readonly maxHistory?: number | undefined }) => History<BlockInfo>
  /** Whether `block-added` is subscribed at the node. */
  readonly placement: Placement
}

type BlocksDeps = Omit<FollowBlocksDeps, 'onGap'> & Pick<NodeLink, 'acquire' | 'ended$'>

export function createBlocks(node: BlocksDeps): Blocks {
  const { ended$, platform } = node
  const gaps$ = new Subject<Gap>()
  ended$.subscribe(() => gaps$.complete())
  const blocks$ = followBlocks$({ ...node, onGap: (gap) => gaps$.next(gap) }).pipe(
    map(toBlockInfo),
    takeUntil(ended$),
    share({ resetOnRefCountZero: () => timer(LINGER, platform.scheduler) }),
  )
  return {
    blocks$,
    gaps$: gaps$.asObservable(),
    history: (options = {}) => {
      refuseUnknown(options, ['maxHistory'])
      return createBlockHistory(blocks$, toHistoryLimit(options.maxHistory), node)
    },
    placement: createPlacement(node, { type: 'block-added' }),
  }
}

const createBlockHistory = (blocks$: Observable<BlockInfo>, limit: number, node: BlocksDeps): History<BlockInfo> =>
  createHistory<BlockInfo, BlockInfo>({
    ...node,
    events$: blocks$,
    subject$: node.network$,
    reduce: (items, batch) => [...[...batch].reverse(), ...items].slice(0, limit),
  })
