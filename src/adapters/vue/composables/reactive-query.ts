import { isRef, toValue, type MaybeRefOrGetter, computed, type ComputedRef, type Ref } from 'vue'
import { bypassCache } from '../../../rest/shared-cache.js'
import {
  QUERY_DEFAULTS,
  type QueryKey,
  type InfiniteQueryOptions,
  type QueryFunctionContext,
  type QueryOptions,
} from '../../../query/options.js'
import type { ChainError } from '../../../errors/chain-error.js'
import type { QueryState, QueryStatus } from '../../../query/watched-query.js'

/** Options of a query, in which refs and getters are followed. They may be refs or getters as a whole, too. */
export interface UseQueryOptions<T, Data = T, Context = QueryFunctionContext> extends Omit<
  QueryOptions<T, Data, Context>,
  'enabled'
> {
  /** Contains every input of the query; refs and getters in it are followed. */
  readonly queryKey: QueryKey
  /** Fetches only while true; `refetch` fetches in any case. @default true */
  readonly enabled?: MaybeRefOrGetter<boolean> | undefined
}

/** Options of a query of pages, in which refs and getters are followed. */
export interface UseInfiniteQueryOptions<Page, PageParam, Data, Context = QueryFunctionContext> extends Omit<
  InfiniteQueryOptions<Page, PageParam, Data, Context>,
  'enabled'
> {
  /** Contains every input of the query; refs and getters in it are followed. */
  readonly queryKey: QueryKey
  /** Fetches only while true; `refetch` fetches in any case. @default true */
  readonly enabled?: MaybeRefOrGetter<boolean> | undefined
}

/** Options that TanStack Query takes too, also with `exactOptionalPropertyTypes`: none is undefined. */
export type PortableQueryOptions<T, Data> = {
  readonly queryKeyHashFn: (key: QueryKey) => string
  readonly networkMode: 'always'
  readonly retry: false
  readonly structuralSharing: false
} & {
  [Name in keyof UseQueryOptions<T, Data>]: Exclude<UseQueryOptions<T, Data>[Name], undefined>
}

/**
 * Options for the queries of this library and for those of TanStack Query, with the settings of this library: keys may
 * contain bigints, nothing waits for the internet, and only the clients retry. In a TanStack client each fetch is a
 * request or joins one in flight: REST calls with the context's `signal` read no response cached by this library.
 * @example const options = queryOptions({ queryKey: ['balance', address], queryFn: ({ signal }) =>
 * rest.getAddressBalance(address, { signal }) }) const { data } = useQuery(options) // of @tanstack/vue-query
 */
export function queryOptions<T, Data = T>(options: UseQueryOptions<T, Data>): PortableQueryOptions<T, Data> {
  const queryFn = (context: QueryFunctionContext): Promise<T> => options.queryFn(ofAnotherCache(context))
  // TanStack Query takes an undefined option for a missing one
  return { ...QUERY_DEFAULTS, ...options, queryFn } as PortableQueryOptions<T, Data>
}

/**
 * The context of a TanStack client with a signal that bypasses the cache of this library. The library's own contexts
 * have clients.
 */
function ofAnotherCache(context: QueryFunctionContext): QueryFunctionContext {
  if ('rest' in context || 'rpc' in context) return context
  // read on demand: TanStack Query aborts only fetches whose signal was read
  return Object.create(context, {
    signal: { get: () => bypassCache(context.signal), enumerable: true },
  }) as QueryFunctionContext
}

/** The options that may contain refs and getters. */
export interface MaybeReactive {
  readonly queryKey: QueryKey
  readonly enabled?: MaybeRefOrGetter<boolean> | undefined
}

/** The current values of the options. */
export function unwrapOptions<Options extends MaybeReactive>(
  options: MaybeRefOrGetter<Options>,
): Options & { readonly enabled: boolean } {
  const now = toValue(options)
  return { ...now, queryKey: unwrapKey(now.queryKey), enabled: toValue(now.enabled ?? true) }
}

const unwrapKey = (key: QueryKey): QueryKey => key.map(unwrap)

/** The value of a part of a key: refs and getters at any depth, arrays and plain objects copied. */
function unwrap(part: unknown): unknown {
  if (isRef(part)) return unwrap(part.value)
  if (typeof part === 'function') return unwrap((part as () => unknown)())
  if (Array.isArray(part)) return part.map(unwrap)
  if (typeof part !== 'object' || part === null) return part
  return Object.fromEntries(Object.entries(part).map(([name, value]) => [name, unwrap(value)]))
}

/** A query, in the names of TanStack Query. It is fetched once one of its refs is read. */
export interface UseQueryReturn<Data> {
  /** The latest result, undefined before the first. A failure keeps it; another key drops it. */
  readonly data: ComputedRef<Data | undefined>
  /** Why the latest attempt failed; otherwise null. */
  readonly error: ComputedRef<ChainError | null>
  /** `pending`: no result yet. `success`, `error`: the outcome of the latest attempt. */
  readonly status: ComputedRef<QueryStatus>
  /** Whether a request is in flight. */
  readonly isFetching: ComputedRef<boolean>
  /** When the result was fetched, Unix ms; 0 before the first. */
  readonly dataUpdatedAt: ComputedRef<number>
  /** Fetches again, bypassing caches; resolves after success or failure. */
  readonly refetch: () => Promise<void>
}

/** The fields of a query's state as refs. */
export const toQueryRefs = <Data>(state: Readonly<Ref<QueryState<Data>>>): Omit<UseQueryReturn<Data>, 'refetch'> => ({
  data: computed(() => state.value.data),
  error: computed(() => state.value.error),
  status: computed(() => state.value.status),
  isFetching: computed(() => state.value.isFetching),
  dataUpdatedAt: computed(() => state.value.dataUpdatedAt),
})
