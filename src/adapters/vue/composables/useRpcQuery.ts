import { of, switchMap } from 'rxjs'
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/feature.js'
import { rpc } from '../../../engine/features/rpc.js'
import { queryCache } from '../../../engine/features/query-cache.js'
import type { RpcQueries } from '../../../operations/queries/rpc-queries.js'
import { RPC_QUERY_IDLE, type RpcQueryState, type RpcQueryStatus } from '../../../streams/rpc-query.js'
import { toStream } from '../bridges/ref-to-stream.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useCore } from '../plugin/core.js'

export interface RpcQueryOptions {
  /** Asks again every so many ms; 0 never. @default 0 */
  readonly refetchInterval?: number | undefined
  /** Asks only while true. @default true */
  readonly enabled?: MaybeRefOrGetter<boolean> | undefined
}

export interface UseRpcQueryReturn<T> {
  /** The latest answer; undefined before the first. */
  readonly data: ComputedRef<T | undefined>
  readonly status: ComputedRef<RpcQueryStatus>
  readonly isLoading: ComputedRef<boolean>
  /** Why the latest attempt failed; null where it did not. */
  readonly error: ComputedRef<Error | null>
  /** Asks again now, unless an answer is under way. */
  readonly refresh: () => void
}

/**
 * The answer to a question to the node, asked once its ref is read: whenever a connection comes to stand, when `key`
 * changes, and every `refetchInterval`. What the question depends on belongs into the key: calls of one app that share a
 * key share the question and its answer.
 */
export function useRpcQuery<T>(
  key: MaybeRefOrGetter<string>,
  query: (rpc: RpcQueries) => Promise<T>,
  { refetchInterval = 0, enabled = true }: RpcQueryOptions = {},
): UseRpcQueryReturn<T> {
  const core = useCore('useRpcQuery')
  const queries = feature(core, queryCache)
  const ask = (): Promise<T> => query(feature(core, rpc))
  const idle: RpcQueryState<T> = RPC_QUERY_IDLE
  const state$ = toStream(() => (toValue(enabled) ? toValue(key) : null)).pipe(
    switchMap((now) => (now === null ? of(idle) : queries.state$(now, ask, refetchInterval))),
  )
  const state = useStream(state$, idle)
  return {
    data: computed(() => state.value.data),
    status: computed(() => state.value.status),
    isLoading: computed(() => state.value.status === 'loading'),
    error: computed(() => state.value.error),
    refresh: () => queries.refresh(toValue(key)),
  }
}
