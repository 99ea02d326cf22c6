import { useBalance, useUtxo, type UtxoEntry } from 'vue-chain'
import { computed, type ComputedRef, type Ref } from 'vue'
import { useImmature, type ImmatureEntry } from './immature'

/** The balances of an account in sompi; undefined while unknown. */
export interface AccountFigures {
  readonly total: ComputedRef<bigint | undefined>
  /** Spendable now. */
  readonly mature: ComputedRef<bigint | undefined>
  /** Immature coinbase rewards. */
  readonly immature: ComputedRef<bigint | undefined>
  /** Payments that are not accepted yet, own change included. */
  readonly unconfirmed: ComputedRef<bigint | undefined>
  readonly entries: Readonly<Ref<readonly UtxoEntry[] | undefined>>
  readonly immatureEntries: ComputedRef<readonly ImmatureEntry[]>
  readonly isFresh: ComputedRef<boolean>
  readonly error: Readonly<Ref<Error | null>>
}

/** The balances and entries of an account; stale values while disconnected. */
export function useAccount(address: () => string): AccountFigures {
  const { entries } = useUtxo(address)
  const { balance, freshness, error } = useBalance(address)
  const immatureEntries = useImmature(entries)
  const isKnown = computed(() => freshness.value === 'fresh' || freshness.value === 'stale')
  const ifKnown = <T>(read: () => T): ComputedRef<T | undefined> => computed(() => (isKnown.value ? read() : undefined))
  return {
    total: ifKnown(() => balance.value.total),
    mature: ifKnown(() => balance.value.mature),
    immature: ifKnown(() => balance.value.immature),
    unconfirmed: ifKnown(() => balance.value.unconfirmed),
    entries: ifKnown(() => entries.value),
    immatureEntries,
    isFresh: computed(() => freshness.value === 'fresh'),
    error,
  }
}
