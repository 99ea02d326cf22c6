import { filter, firstValueFrom, of } from 'rxjs'
import {
  computed,
  getCurrentInstance,
  onServerPrefetch,
  shallowRef,
  toValue,
  type ComputedRef,
  type MaybeRefOrGetter,
  type Ref,
} from 'vue'
import type { ChainError } from '../../../errors/chain-error.js'
import type { ChainRestOptions, ChainRestRequestOptions } from '../../../rest/options.js'
import {
  REST_QUERY_LOADING,
  createRestQuery,
  isValue,
  type RestQuery,
  type RestQueryState,
} from '../../../rest/query.js'
import { isServer } from '../bridges/is-server.js'
import { toStream } from '../bridges/ref-to-stream.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useRestRendering } from './rest-rendering.js'
import { useChainRest, type UseChainRestReturn } from './useChainRest.js'

export interface UseRestQueryOptions {
  /** Fetches again this many ms after each result or failure; 0 never. @default 0 */
  readonly refetchInterval?: number | undefined
  /** Options of `useChainRest`. */
  readonly rest?: ChainRestOptions | undefined
}

export interface UseRestQueryReturn<T> {
  /** The latest result for the current value; undefined before the first. */
  readonly data: ComputedRef<T | undefined>
  /** Error of the latest attempt; null if it succeeded. */
  readonly error: ComputedRef<ChainError | null>
  readonly isLoading: ComputedRef<boolean>
  /** Fetches again, bypassing the cache; resolves after success or failure. */
  readonly refetch: () => Promise<void>
}

/**
 * The indexer's result for a value: fetched once it is read, and again when the value or the network changes. Does not
 * fetch while the value is null or undefined. Pass `request` on to the operation: it carries the abort signal. A server
 * renders the result, and the browser reuses it (`dehydrateRest`, `hydrateRest`).
 * @example
 * const { data, isLoading } = useRestQuery(address, (rest, now, request) => rest.getAddressBalance(now, request))
 */
export function useRestQuery<Value, T>(
  value: MaybeRefOrGetter<Value | null | undefined>,
  query: (rest: UseChainRestReturn, value: Value, request: ChainRestRequestOptions) => Promise<T>,
  { refetchInterval, rest: options }: UseRestQueryOptions = {},
): UseRestQueryReturn<T> {
  const rest = useChainRest(options)
  const rendering = useRestRendering<Value, T>(rest.cache)
  const target = () => toTarget(rest.baseUrl.value, toValue(value))
  const target$ = isServer() ? of(target()) : toStream(target)
  const restQuery: RestQuery<T> = createRestQuery<QueryTarget<Value>, T>(
    target$,
    (now, request) => query(rest, now.value, request),
    {
      refetchInterval,
      initialData: (now) => rendering.dataOf(now.value),
      initialError: (now) => rendering.errorOf(now.value),
    },
  )
  const state = isServer()
    ? usePrefetched(restQuery, (settled) => {
        const now = toValue(value)
        if (isValue(now)) rendering.store(now, settled)
      })
    : useStream<RestQueryState<T>>(restQuery.state$, REST_QUERY_LOADING)
  return {
    data: computed(() => state.value.data),
    error: computed(() => state.value.error),
    isLoading: computed(() => state.value.isLoading),
    refetch: restQuery.refetch,
  }
}

/** The value and the indexer: the same value has another result on another network. */
interface QueryTarget<Value> {
  readonly baseUrl: string
  readonly value: Value
}

function toTarget<Value>(baseUrl: string, value: Value | null | undefined): QueryTarget<Value> | undefined {
  return isValue(value) ? { baseUrl, value } : undefined
}

/** The settled state, passed to `onSettled`; rendering waits for it. */
function usePrefetched<T>(
  { state$ }: RestQuery<T>,
  onSettled: (state: RestQueryState<T>) => void,
): Readonly<Ref<RestQueryState<T>>> {
  const state = shallowRef<RestQueryState<T>>(REST_QUERY_LOADING)
  if (!getCurrentInstance()) return state
  onServerPrefetch(async () => {
    state.value = await firstValueFrom(state$.pipe(filter(({ isLoading }) => !isLoading)))
    onSettled(state.value)
  })
  return state
}
