import {
  EMPTY,
  ReplaySubject,
  catchError,
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
  tap,
  type Observable,
} from 'rxjs'
import type { RpcBlock } from '../node/messages/records.js'
import type { Gap } from './acceptance/change.js'
import { createBlockMemory, type BlockMemory } from './block-memory.js'
import { fillBlocks$ } from './fill-blocks.js'
import type { NodeLink } from './session/node-link.js'
import { toRpcError } from './to-rpc-error.js'

export interface FollowBlocksDeps extends Pick<
  NodeLink,
  'session$' | 'placed$' | 'events$' | 'missed$' | 'call' | 'platform'
> {
  readonly onGap: (gap: Gap) => void
}

/** Every block that the node adds, once. Where it could not tell, it is asked, before what it tells goes on. Never errors. */
export const followBlocks$ = (deps: FollowBlocksDeps): Observable<RpcBlock> =>
  defer(() => {
    const memory = createBlockMemory()
    const told$ = deps.events$('block-added').pipe(
      map(({ data }) => data.block),
      share(),
    )
    const news$ = breaks$(deps).pipe(switchMap((isTelling) => (isTelling ? resume$(told$, memory, deps) : EMPTY)))
    return merge(told$.pipe(ignoreElements()), news$) // listened to between sessions, too: it keeps the node telling
  })

/** Whether the node tells of blocks, after each moment in which one may have been missed. */
const breaks$ = ({ session$, placed$, missed$ }: FollowBlocksDeps): Observable<boolean> => {
  const isTelling$ = combineLatest([session$, placed$]).pipe(
    map(([session, placed]) => session !== null && placed.scopes.has('block-added')),
    distinctUntilChanged(),
  )
  return combineLatest([isTelling$, concat(of(null), missed$)]).pipe(map(([isTelling]) => isTelling))
}

/** What was missed, then what is told; what is told meanwhile waits. */
function resume$(told$: Observable<RpcBlock>, memory: BlockMemory, deps: FollowBlocksDeps): Observable<RpcBlock> {
  const filled$ = new ReplaySubject<void>(1)
  const done$ = defer(() => {
    filled$.next()
    return EMPTY
  })
  const live$ = told$.pipe(
    delayWhen(() => filled$),
    filter((block) => memory.isNews(block)),
  )
  return merge(live$, concat(missed$(memory, deps), done$))
}

/** The blocks since the last one that was told of. At the very beginning that is the sink, which is no news. */
function missed$(memory: BlockMemory, { call, platform, onGap }: FollowBlocksDeps): Observable<RpcBlock> {
  const from = memory.latest()
  if (from === null) {
    return call('getSink', {}).pipe(
      tap(({ sink }) => memory.begin(sink)),
      ignoreElements(),
      catchError(() => EMPTY), // then the first block that is told is where it begins
    )
  }
  return fillBlocks$(from, call).pipe(
    catchError((cause: unknown) => {
      onGap({ stream: 'blocks', from, to: null, cause: toRpcError('getBlocks', cause), timestamp: platform.now() })
      return EMPTY
    }),
    filter((block) => memory.isMissed(block)),
  )
}
