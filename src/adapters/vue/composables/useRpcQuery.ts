import { of, switchMap } from 'rxjs'
import { computed, toValue, type ComputedRef, type MaybeRefOrGetter } from 'vue'
import { feature } from '../../../engine/feature.js'
import { rpc } from '../../../engine/features/rpc.js'
import { queryCache } from '../../../engine/features/query-cache.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { CallOptions } from '../../../operations/queries/call.js'
import type { RpcQueries } from '../../../operations/queries/rpc-queries.js'
import { RPC_QUERY_IDLE, type RpcQueryState, type RpcQueryStatus } from '../../../streams/rpc-query.js'
import { toStream } from '../bridges/ref-to-stream.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useCore } from '../plugin/core.js'

export interface RpcQueryOptions {
  /** Fetches again every this many ms; 0 never. @default 0 */
  readonly refetchInterval?: number | undefined
  /** Fetches only while true. @default true */
  readonly enabled?: MaybeRefOrGetter<boolean> | undefined
}

export interface UseRpcQueryReturn<T> {
  /** The latest result; undefined before the first. */
  readonly data: ComputedRef<T | undefined>
  readonly status: ComputedRef<RpcQueryStatus>
  readonly isLoading: ComputedRef<boolean>
  /** Error of the latest attempt; null if it succeeded. */
  readonly error: ComputedRef<ChainError | null>
  /** Fetches again, unless a call is in flight. */
  readonly refresh: () => void
}

/**
 * The result of a query to the node, fetched once a ref is read: on each connect, when `key` changes, and every
 * `refetchInterval`. Calls of one app with the same key share the query and its result, so `key` must contain every input
 * of the query. Pass `options` on to the call: its signal aborts when the result is no longer wanted.
 * @example
 * const { data } = useRpcQuery('sink', (rpc, options) => rpc.getSink(options))
 */
export function useRpcQuery<T>(
  key: MaybeRefOrGetter<string>,
  query: (rpc: RpcQueries, options: CallOptions) => Promise<T>,
  { refetchInterval = 0, enabled = true }: RpcQueryOptions = {},
): UseRpcQueryReturn<T> {
  const core = useCore('useRpcQuery')
  const queries = feature(core, queryCache)
  const runQuery = (call: CallOptions): Promise<T> => query(feature(core, rpc), call)
  const idle: RpcQueryState<T> = RPC_QUERY_IDLE
  const state$ = toStream(() => (toValue(enabled) ? toValue(key) : null)).pipe(
    switchMap((now) => (now === null ? of(idle) : queries.state$(now, runQuery, refetchInterval))),
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
