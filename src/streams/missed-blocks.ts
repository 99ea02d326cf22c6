import { EMPTY, catchError, defer, filter, ignoreElements, retry, tap, throwError, timer, type Observable } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { Gap } from './acceptance/change.js'
import type { BlockMemory } from './block-memory.js'
import { DEFAULT_RETRIES, backoff } from './connection/policy.js'
import { fillBlocks$ } from './fill-blocks.js'
import type { NodeLink } from './session/node-link.js'
import { toRpcError } from './to-rpc-error.js'

export interface MissedBlocksDeps extends Pick<NodeLink, 'call' | 'platform'> {
  readonly onGap: (gap: Gap) => void
}

/** How often a question is put again to a node that does not answer it, while the connection stands: for about 15 s. */
const TRIES = 4

/** The blocks since the last one that was told of; each failed attempt goes on where the one before had come to. */
export function missedBlocks$(memory: BlockMemory, deps: MissedBlocksDeps): Observable<RpcBlock> {
  const { call, platform, onGap } = deps
  const rest$ = defer(() => {
    const latest = memory.latest()
    return latest === null ? EMPTY : fillBlocks$(latest, call)
  })
  return rest$.pipe(
    filter((block) => memory.isMissed(block)),
    again(deps),
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
    again(deps),
    catchError(() => EMPTY),
  )

/** Asks again, after a growing wait, where the node did not answer. What it refuses it will refuse again. */
const again = <T>({ platform }: MissedBlocksDeps) =>
  retry<T>({
    count: TRIES,
    resetOnSuccess: true,
    delay: (error: unknown, tries) =>
      isUnanswered(error)
        ? timer(backoff(tries, DEFAULT_RETRIES, platform.random()), platform.scheduler)
        : throwError(() => error),
  })

const isUnanswered = (error: unknown): boolean =>
  error instanceof ChainRpcError && error.code !== 'remote' && error.code !== 'unsupported'
