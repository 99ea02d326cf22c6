import { useUtxo, type UtxoEntry } from 'vue-chain'
import { computed, type ComputedRef, type Ref } from 'vue'
import { useRipening, type RipeningEntry } from './ripening'

/** What an account has, in sompi; undefined until the node has said. */
export interface AccountFigures {
  readonly spendable: ComputedRef<bigint | undefined>
  /** Mining rewards that may not be spent yet. */
  readonly ripening: ComputedRef<bigint | undefined>
  /** Payments in the mempool. */
  readonly coming: ComputedRef<bigint | undefined>
  readonly entries: Readonly<Ref<readonly UtxoEntry[] | undefined>>
  readonly ripeningEntries: ComputedRef<readonly RipeningEntry[]>
  readonly isFresh: ComputedRef<boolean>
  readonly error: Readonly<Ref<Error | null>>
}

/** The figures of an account, as last heard where the connection is lost. */
export function useAccount(address: () => string): AccountFigures {
  const { entries, balance, freshness, error } = useUtxo(address)
  const ripeningEntries = useRipening(entries)
  const isKnown = computed(() => freshness.value === 'fresh' || freshness.value === 'stale')
  const ifKnown = <T>(read: () => T): ComputedRef<T | undefined> => computed(() => (isKnown.value ? read() : undefined))
  const ripe = computed(() => ripeningEntries.value.reduce((sum, entry) => sum + entry.amount, 0n))
  return {
    spendable: ifKnown(() => balance.value.mature),
    ripening: ifKnown(() => ripe.value),
    coming: ifKnown(() => balance.value.pending - ripe.value),
    entries: ifKnown(() => entries.value),
    ripeningEntries,
    isFresh: computed(() => freshness.value === 'fresh'),
    error,
  }
}
