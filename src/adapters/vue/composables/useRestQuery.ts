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
  /** Asks anew so many ms after each answer or failure; 0 never. @default 0 */
  readonly refetchInterval?: number | undefined
  /** Options of the client, as `useChainRest` takes them. */
  readonly rest?: ChainRestOptions | undefined
}

export interface UseRestQueryReturn<T> {
  /** The latest answer for the present value; undefined before the first. */
  readonly data: ComputedRef<T | undefined>
  /** Why the latest attempt failed; null where it did not. */
  readonly error: ComputedRef<Error | null>
  readonly isLoading: ComputedRef<boolean>
  /** Asks anew, past the cache; resolves when that has ended, either way. */
  readonly refetch: () => Promise<void>
}

/**
 * The indexer's answer to a question about a value: asked once it is read, and again whenever the value changes, or the
 * network and with it the indexer. While the value is null or undefined nothing is asked. Pass `request` on to the
 * operation: it ends what nobody waits for any more. A server renders the answer, and the browser takes it over (`dehydrateRest`, `hydrateRest`).
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
  const topic = () => toTopic(rest.baseUrl.value, toValue(value))
  const topic$ = isServer() ? of(topic()) : toStream(topic)
  const asked: RestQuery<T> = createRestQuery<Topic<Value>, T>(
    topic$,
    (now, request) => query(rest, now.value, request),
    {
      refetchInterval,
      known: (now) => rendering.known(now.value),
      failed: (now) => rendering.failed(now.value),
    },
  )
  const state = isServer()
    ? usePrefetched(asked, (settled) => {
        const now = toValue(value)
        if (isValue(now)) rendering.keep(now, settled)
      })
    : useStream<RestQueryState<T>>(asked.state$, REST_QUERY_LOADING)
  return {
    data: computed(() => state.value.data),
    error: computed(() => state.value.error),
    isLoading: computed(() => state.value.isLoading),
    refetch: asked.refetch,
  }
}

/** What is asked about, and where: the same value means something else to the indexer of another network. */
interface Topic<Value> {
  readonly baseUrl: string
  readonly value: Value
}

function toTopic<Value>(baseUrl: string, value: Value | null | undefined): Topic<Value> | undefined {
  return isValue(value) ? { baseUrl, value } : undefined
}

/** The state once it has settled; the rendering waits for it. `keep` is given it. */
function usePrefetched<T>(
  { state$ }: RestQuery<T>,
  keep: (state: RestQueryState<T>) => void,
): Readonly<Ref<RestQueryState<T>>> {
  const state = shallowRef<RestQueryState<T>>(REST_QUERY_LOADING)
  if (!getCurrentInstance()) return state
  onServerPrefetch(async () => {
    state.value = await firstValueFrom(state$.pipe(filter(({ isLoading }) => !isLoading)))
    keep(state.value)
  })
  return state
}
