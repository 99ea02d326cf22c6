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
import { createBlockMemory, type BlockMemory } from './block-memory.js'
import { findPlace$, missedBlocks$, type MissedBlocksDeps } from './missed-blocks.js'
import type { NodeLink } from './session/node-link.js'

export type FollowBlocksDeps = MissedBlocksDeps &
  Pick<NodeLink, 'session$' | 'network$' | 'placed$' | 'events$' | 'missed$'>

/**
 * Every block that the node adds, once. Where it could not tell, it is asked, before what it tells goes on. Another
 * network's blocks are followed from where it stands. Never errors.
 */
export const followBlocks$ = (deps: FollowBlocksDeps): Observable<RpcBlock> =>
  defer(() => {
    const told$ = deps.events$('block-added').pipe(
      map(({ data }) => data.block),
      share(),
    )
    const news$ = deps.network$.pipe(switchMap(() => news$From(createBlockMemory(), told$, deps)))
    return merge(told$.pipe(ignoreElements()), news$) // listened to between sessions, too: it keeps the node telling
  })

/** What is news to `memory`, while the node tells. */
const news$From = (memory: BlockMemory, told$: Observable<RpcBlock>, deps: FollowBlocksDeps): Observable<RpcBlock> =>
  breaks$(deps).pipe(switchMap((isTelling) => (isTelling ? resume$(told$, memory, deps) : EMPTY)))

/** Whether the node tells of blocks, after each moment in which one may have been missed. */
const breaks$ = ({ session$, placed$, missed$ }: FollowBlocksDeps): Observable<boolean> => {
  const isTelling$ = combineLatest([session$, placed$]).pipe(
    map(([session, placed]) => session !== null && placed.scopes.has('block-added')),
    distinctUntilChanged(),
  )
  return combineLatest([isTelling$, concat(of(null), missed$)]).pipe(map(([isTelling]) => isTelling))
}

/** What was missed, then what is told; what is told meanwhile waits. At the very beginning nothing was missed. */
function resume$(told$: Observable<RpcBlock>, memory: BlockMemory, deps: FollowBlocksDeps): Observable<RpcBlock> {
  const news$ = told$.pipe(filter((block) => memory.isNews(block)))
  if (memory.latest() === null) return merge(news$, findPlace$(memory, deps))
  const heard = new Set<string>()
  const filled$ = new ReplaySubject<void>(1)
  const waiting$ = told$.pipe(
    delayWhen(() => filled$),
    filter((block) => memory.isNews(block)),
  )
  const heard$ = told$.pipe(
    tap(({ header }) => heard.add(header.hash)),
    ignoreElements(),
    takeUntil(filled$),
  )
  return merge(heard$, waiting$, missedBlocks$(memory, heard, deps).pipe(tap({ complete: () => filled$.next() })))
}
