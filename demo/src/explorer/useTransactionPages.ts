import { useChainRest, type ChainRestRequestOptions, type ChainRestTransaction } from 'vue-chain'
import { computed, shallowRef, watch, type ComputedRef } from 'vue'
import { savePage, savedPage } from '../route'

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
  /** Reads all pages again; the current rows stay until then. */
  readonly refresh: () => void
}

type PageReader = AsyncIterator<ChainRestTransaction[]>

/** `count`: how many of the first pages are from `reader`; the others are from the previous one. */
interface LoadedPages {
  readonly reader?: PageReader
  readonly count: number
  readonly pages: readonly (readonly ChainRestTransaction[])[]
}

const NO_PAGES: LoadedPages = { count: 0, pages: [] }

/** Fetches one page ahead of the current one. The page index is stored in the history entry. */
export function useTransactionPages(address: () => string, limit: number): TransactionPages {
  const rest = useChainRest()
  const loaded = shallowRef(NO_PAGES)
  const pageIndex = shallowRef(savedPage())
  const end = shallowRef<'open' | 'reached' | Error>('open')
  /** Pages of earlier readers are ignored. */
  let current: PageReader

  const countOf = (reader: PageReader): number => (loaded.value.reader === reader ? loaded.value.count : 0)
  const needsMore = (): boolean => end.value === 'open' && countOf(current) < pageIndex.value + 2

  async function readAhead(reader: PageReader): Promise<void> {
    try {
      while (reader === current && needsMore()) apply(reader, await reader.next())
    } catch (error) {
      if (reader === current) end.value = error instanceof Error ? error : new Error(String(error))
    }
  }

  function apply(reader: PageReader, { done, value }: IteratorResult<ChainRestTransaction[]>): void {
    if (reader !== current) return
    if (done === true) finish()
    else addPage(reader, value)
  }

  function addPage(reader: PageReader, page: readonly ChainRestTransaction[]): void {
    const count = countOf(reader) + 1
    const { pages } = loaded.value
    loaded.value = { reader, count, pages: [...pages.slice(0, count - 1), page, ...pages.slice(count)] }
  }

  /** There may be fewer pages than before. */
  function finish(): void {
    end.value = 'reached'
    loaded.value = { ...loaded.value, pages: loaded.value.pages.slice(0, countOf(current)) }
    pageIndex.value = Math.min(pageIndex.value, loaded.value.pages.length - 1)
  }

  function start(options?: ChainRestRequestOptions): void {
    end.value = 'open'
    current = rest.getFullTransactionsByAddressPages(address(), { ...options, limit })[Symbol.asyncIterator]()
    void readAhead(current)
  }

  function move(step: number): void {
    pageIndex.value = Math.min(Math.max(pageIndex.value + step, 0), loaded.value.pages.length - 1)
    savePage(pageIndex.value)
    void readAhead(current)
  }

  start()
  watch(address, () => {
    loaded.value = NO_PAGES
    pageIndex.value = savedPage()
    start()
  })
  return {
    rows: computed(() => loaded.value.pages[pageIndex.value]),
    number: computed(() => pageIndex.value + 1),
    hasOlder: computed(() => pageIndex.value + 1 < loaded.value.pages.length),
    hasNewer: computed(() => pageIndex.value > 0),
    error: computed(() => (end.value instanceof Error ? end.value : undefined)),
    older: () => move(1),
    newer: () => move(-1),
    refresh: () => start({ forceRefresh: true }),
  }
}
