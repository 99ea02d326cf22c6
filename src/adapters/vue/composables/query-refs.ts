import { computed, type ComputedRef, type Ref } from 'vue'
import type { ChainError } from '../../../errors/chain-error.js'
import type { QueryState, QueryStatus } from '../../../query/watched-query.js'

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
