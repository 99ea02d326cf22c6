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
} from 'rxjs'
import type { RpcBlock } from '../node/messages/records.js'
import { createSeenBlocks, type SeenBlocks } from './seen-blocks.js'
import { startAtSink$, backfillBlocks$, type BackfillDeps } from './backfill-blocks.js'
import type { NodeLink } from './session/node-link.js'

export type FollowBlocksDeps = BackfillDeps &
  Pick<NodeLink, 'session$' | 'network$' | 'placed$' | 'events$' | 'malformed$'>

/**
 * Every block the node adds, once. Backfills before it continues with notifications after an interruption. On another
 * network it starts at the sink. Never errors.
 */
export const followBlocks$ = (deps: FollowBlocksDeps): Observable<RpcBlock> =>
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
