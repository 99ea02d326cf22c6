import { NETWORKS, isMature, useNetwork, type UtxoEntry } from 'vue-chain'
import { computed, type ComputedRef, type Ref } from 'vue'

/** A mining reward that may not be spent yet. */
export interface RipeningEntry {
  readonly key: string
  /** Sompi. */
  readonly amount: bigint
  /** DAA score that has to pass before it may be spent. */
  readonly left: bigint
}

/** The rewards among `entries` that still ripen, the ripest first, counting down with the DAA score. */
export function useRipening(entries: Ref<readonly UtxoEntry[]>): ComputedRef<readonly RipeningEntry[]> {
  const { currentNetwork, daaScore } = useNetwork()
  return computed(() => {
    const maturity = NETWORKS[currentNetwork.value].coinbaseMaturity
    return entries.value
      .filter((entry) => !isMature(entry, daaScore.value, maturity))
      .map(({ outpoint, amount, blockDaaScore }) => ({
        key: `${outpoint.transactionId}:${outpoint.index}`,
        amount,
        left: blockDaaScore + maturity - daaScore.value,
      }))
      .toSorted((a, b) => Number(a.left - b.left))
  })
}
