import { useChainRest, type ChainRestRequestOptions, type ChainRestTransaction } from 'vue-chain'
import { computed, shallowRef, watch, type ComputedRef } from 'vue'
import { keepPage, keptPage } from '../route'

/** The transactions of an address, a page at a time, newest first. */
export interface TransactionPages {
  readonly rows: ComputedRef<readonly ChainRestTransaction[] | undefined>
  /** From 1. */
  readonly number: ComputedRef<number>
  readonly hasOlder: ComputedRef<boolean>
  readonly hasNewer: ComputedRef<boolean>
  readonly error: ComputedRef<Error | undefined>
  readonly older: () => void
  readonly newer: () => void
  /** Reads all anew; what is shown stays until that is in. */
  readonly again: () => void
}

type Reading = AsyncIterator<ChainRestTransaction[]>

/** Pages, and how many of the first of them the latest reading has brought; the others are still of the one before. */
interface Read {
  readonly from?: Reading
  readonly count: number
  readonly pages: readonly (readonly ChainRestTransaction[])[]
}

const NOTHING: Read = { count: 0, pages: [] }

/**
 * Pages are fetched one ahead of the one that is looked at, so that the next is there at once, and it is known whether
 * there is one. Whoever comes back by the browser's button finds the page that was left.
 */
export function useTransactionPages(address: () => string, limit: number): TransactionPages {
  const rest = useChainRest()
  const read = shallowRef(NOTHING)
  const place = shallowRef(keptPage())
  const end = shallowRef<'open' | 'reached' | Error>('open')
  /** The one that counts; what an earlier one still brings is of another address, or older. */
  let reading: Reading

  const countOf = (from: Reading): number => (read.value.from === from ? read.value.count : 0)
  const isWanting = (): boolean => end.value === 'open' && countOf(reading) < place.value + 2

  async function readAhead(from: Reading): Promise<void> {
    try {
      while (from === reading && isWanting()) take(from, await from.next())
    } catch (error) {
      if (from === reading) end.value = error instanceof Error ? error : new Error(String(error))
    }
  }

  function take(from: Reading, { done, value }: IteratorResult<ChainRestTransaction[]>): void {
    if (from !== reading) return
    if (done === true) finish()
    else put(from, value)
  }

  function put(from: Reading, page: readonly ChainRestTransaction[]): void {
    const count = countOf(from) + 1
    const { pages } = read.value
    read.value = { from, count, pages: [...pages.slice(0, count - 1), page, ...pages.slice(count)] }
  }

  /** There may be fewer pages than there were. */
  function finish(): void {
    end.value = 'reached'
    read.value = { ...read.value, pages: read.value.pages.slice(0, countOf(reading)) }
    place.value = Math.min(place.value, read.value.pages.length - 1)
  }

  function begin(options?: ChainRestRequestOptions): void {
    end.value = 'open'
    reading = rest.getFullTransactionsByAddressPages(address(), { ...options, limit })[Symbol.asyncIterator]()
    void readAhead(reading)
  }

  function go(step: number): void {
    place.value = Math.min(Math.max(place.value + step, 0), read.value.pages.length - 1)
    keepPage(place.value)
    void readAhead(reading)
  }

  begin()
  watch(address, () => {
    read.value = NOTHING
    place.value = keptPage()
    begin()
  })
  return {
    rows: computed(() => read.value.pages[place.value]),
    number: computed(() => place.value + 1),
    hasOlder: computed(() => place.value + 1 < read.value.pages.length),
    hasNewer: computed(() => place.value > 0),
    error: computed(() => (end.value instanceof Error ? end.value : undefined)),
    older: () => go(1),
    newer: () => go(-1),
    again: () => begin({ forceRefresh: true }),
  }
}
