import { useInfiniteRestQuery, type ChainError, type ChainRestTransaction } from 'vue-chain'
import { computed, shallowRef, watch, watchEffect, type ComputedRef } from 'vue'
import { savePage, savedPage } from '../route'

/** The transactions of an address, a page at a time, newest first. */
export interface TransactionPages {
  readonly rows: ComputedRef<readonly ChainRestTransaction[] | undefined>
  /** From 1. */
  readonly number: ComputedRef<number>
  readonly hasOlder: ComputedRef<boolean>
  readonly hasNewer: ComputedRef<boolean>
  readonly error: ComputedRef<ChainError | null>
  readonly older: () => void
  readonly newer: () => void
  /** Fetches all pages again; the current rows stay until then. */
  readonly refresh: () => Promise<void>
}

/** Fetches one page ahead of the current one. The page index is stored in the history entry. */
export function useTransactionPages(address: () => string, limit: number): TransactionPages {
  const { data, error, hasNextPage, isFetching, fetchNextPage, refetch } = useInfiniteRestQuery({
    queryKey: ['transactions', address, limit],
    queryFn: ({ rest, pageParam }) => rest.getAddressTransactionPage(address(), { limit, before: pageParam }),
    initialPageParam: undefined as number | undefined,
    getNextPageParam: ({ before }) => before,
    select: ({ pages }) => pages.map(({ transactions }) => transactions),
  })
  const count = computed(() => data.value?.length ?? 0)
  const wanted = shallowRef(savedPage())
  /** After a refetch there may be fewer pages than before. */
  const current = computed(() =>
    hasNextPage.value ? wanted.value : Math.min(wanted.value, Math.max(count.value - 1, 0)),
  )

  watch(address, () => (wanted.value = savedPage()))
  watchEffect(() => {
    const isIdle = !isFetching.value && error.value === null
    if (isIdle && hasNextPage.value && count.value < wanted.value + 2) void fetchNextPage()
  })

  function move(step: number): void {
    wanted.value = Math.min(Math.max(current.value + step, 0), count.value - 1)
    savePage(wanted.value)
  }
  return {
    rows: computed(() => data.value?.[current.value]),
    number: computed(() => current.value + 1),
    hasOlder: computed(() => current.value + 1 < count.value),
    hasNewer: computed(() => current.value > 0),
    error,
    older: () => move(1),
    newer: () => move(-1),
    refresh: refetch,
  }
}
