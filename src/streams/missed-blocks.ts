import { EMPTY, catchError, defer, filter, ignoreElements, tap, type Observable } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { Gap } from './acceptance/change.js'
import { askAgain, isForGood } from './ask-again.js'
import type { BlockMemory } from './block-memory.js'
import { fillBlocks$ } from './fill-blocks.js'
import type { NodeLink } from './session/node-link.js'
import { toRpcError } from './to-rpc-error.js'

export interface MissedBlocksDeps extends Pick<NodeLink, 'call' | 'platform'> {
  readonly onGap: (gap: Gap) => void
}

/**
 * The blocks since the heaviest one that was told of, until those that are `heard` by themselves; each failed attempt goes on
 * where the one before had come to.
 */
export function missedBlocks$(
  memory: BlockMemory,
  heard: ReadonlySet<string>,
  deps: MissedBlocksDeps,
): Observable<RpcBlock> {
  const { call, platform, onGap } = deps
  const rest$ = defer(() => {
    const latest = memory.latest()
    return latest === null ? EMPTY : fillBlocks$(latest, call, heard)
  })
  return rest$.pipe(
    filter((block) => memory.isMissed(block)),
    askAgain(deps, mayPass),
    catchError((error: unknown) => {
      const cause = toRpcError('getBlocks', error)
      onGap({ stream: 'blocks', from: memory.latest(), to: null, cause, timestamp: platform.now() })
      return EMPTY
    }),
  )
}

/**
 * Where the node stands, so that what an outage before the first block brings can be asked for. Without an answer the
 * first block that is told is where it begins. Emits nothing.
 */
export const findPlace$ = (memory: BlockMemory, deps: MissedBlocksDeps): Observable<never> =>
  deps.call('getSink', {}).pipe(
    tap(({ sink }) => memory.begin(sink)),
    ignoreElements(),
    askAgain(deps, mayPass),
    catchError(() => EMPTY),
  )

const mayPass = (error: unknown): boolean => error instanceof ChainRpcError && !isForGood(error)
