import { useChainRest, type ChainRestTransaction } from 'vue-chain'
import { computed, shallowRef, watch, type ComputedRef } from 'vue'

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
}

/** Pages are fetched one ahead of the one that is looked at, so that the next is there at once, and it is known whether there is one. */
export function useTransactionPages(address: () => string, limit: number): TransactionPages {
  const rest = useChainRest()
  const pages = shallowRef<readonly (readonly ChainRestTransaction[])[]>([])
  const place = shallowRef(0)
  const end = shallowRef<'open' | 'reached' | Error>('open')
  /** The one that counts; what an earlier one still brings is of another address. */
  let reading: AsyncIterator<ChainRestTransaction[]>

  const isWanting = (): boolean => end.value === 'open' && pages.value.length < place.value + 2

  async function readAhead(from: AsyncIterator<ChainRestTransaction[]>): Promise<void> {
    try {
      while (from === reading && isWanting()) take(from, await from.next())
    } catch (error) {
      if (from === reading) end.value = error instanceof Error ? error : new Error(String(error))
    }
  }

  function take(from: typeof reading, { done, value }: IteratorResult<ChainRestTransaction[]>): void {
    if (from !== reading) return
    if (done === true) end.value = 'reached'
    else pages.value = [...pages.value, value]
  }

  function begin(now: string): void {
    pages.value = []
    place.value = 0
    end.value = 'open'
    reading = rest.getFullTransactionsByAddressPages(now, { limit })[Symbol.asyncIterator]()
    void readAhead(reading)
  }

  function go(step: number): void {
    place.value = Math.min(Math.max(place.value + step, 0), pages.value.length - 1)
    void readAhead(reading)
  }

  watch(address, begin, { immediate: true })
  return {
    rows: computed(() => pages.value[place.value]),
    number: computed(() => place.value + 1),
    hasOlder: computed(() => place.value + 1 < pages.value.length),
    hasNewer: computed(() => place.value > 0),
    error: computed(() => (end.value instanceof Error ? end.value : undefined)),
    older: () => go(1),
    newer: () => go(-1),
  }
}
