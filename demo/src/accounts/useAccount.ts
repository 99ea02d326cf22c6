import { useUtxo, type UtxoEntry } from 'vue-chain'
import { computed, type ComputedRef, type Ref } from 'vue'
import { useImmature, type ImmatureEntry } from './immature'

/** The balances of an account in sompi; undefined while unknown. */
export interface AccountFigures {
  readonly spendable: ComputedRef<bigint | undefined>
  /** Immature coinbase rewards. */
  readonly immature: ComputedRef<bigint | undefined>
  /** Payments in the mempool. */
  readonly incoming: ComputedRef<bigint | undefined>
  readonly entries: Readonly<Ref<readonly UtxoEntry[] | undefined>>
  readonly immatureEntries: ComputedRef<readonly ImmatureEntry[]>
  readonly isFresh: ComputedRef<boolean>
  readonly error: Readonly<Ref<Error | null>>
}

/** The balances and entries of an account; stale values while disconnected. */
export function useAccount(address: () => string): AccountFigures {
  const { entries, balance, freshness, error } = useUtxo(address)
  const immatureEntries = useImmature(entries)
  const isKnown = computed(() => freshness.value === 'fresh' || freshness.value === 'stale')
  const ifKnown = <T>(read: () => T): ComputedRef<T | undefined> => computed(() => (isKnown.value ? read() : undefined))
  const immature = computed(() => immatureEntries.value.reduce((sum, entry) => sum + entry.amount, 0n))
  return {
    spendable: ifKnown(() => balance.value.mature),
    immature: ifKnown(() => immature.value),
    incoming: ifKnown(() => balance.value.pending - immature.value),
    entries: ifKnown(() => entries.value),
    immatureEntries,
    isFresh: computed(() => freshness.value === 'fresh'),
    error,
  }
}
