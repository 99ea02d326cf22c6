import { EMPTY, catchError, defer, filter, ignoreElements, tap, type Observable } from 'rxjs'
import { ChainRpcError } from '../errors/rpc-error.js'
import type { RpcBlock } from '../node/messages/records.js'
import type { Gap } from './acceptance/change.js'
import { retryWithBackoff, isPermanent } from './retry-with-backoff.js'
import type { SeenBlocks } from './seen-blocks.js'
import { fetchBlocksSince$ } from './fetch-blocks.js'
import { withinBudget, type Budget } from './look-back-budget.js'
import type { NodeLink } from './session/node-link.js'
import { toRpcError } from './to-rpc-error.js'

export interface BackfillDeps extends Pick<NodeLink, 'call' | 'platform'> {
  readonly onGap: (gap: Gap) => void
}

/** Of all attempts of one backfill: a node that responds to every second request would otherwise never end it. */
const BUDGET: Budget = { requests: 60, time: 300_000 }

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
export const startAtSink$ = (seen: SeenBlocks, deps: BackfillDeps): Observable<never> =>
  deps.call('getSink', {}).pipe(
    tap(({ sink }) => seen.start(sink)),
    ignoreElements(),
    retryWithBackoff(deps, isTransient),
    catchError(() => EMPTY),
  )

const isTransient = (error: unknown): boolean => error instanceof ChainRpcError && !isPermanent(error)
