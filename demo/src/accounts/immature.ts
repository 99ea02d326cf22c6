import { NETWORKS, isMature, useNetwork, type UtxoEntry } from 'vue-chain'
import { computed, type ComputedRef, type Ref } from 'vue'

/** An immature coinbase UTXO. */
export interface ImmatureEntry {
  readonly key: string
  /** Sompi. */
  readonly amount: bigint
  /** DAA score until maturity. */
  readonly remaining: bigint
}

/** The immature rewards among `entries`, the next to mature first, updated with the DAA score. */
export function useImmature(entries: Ref<readonly UtxoEntry[]>): ComputedRef<readonly ImmatureEntry[]> {
  const { currentNetwork, daaScore } = useNetwork()
  return computed(() => {
    const maturity = NETWORKS[currentNetwork.value].coinbaseMaturity
    return entries.value
      .filter((entry) => !isMature(entry, daaScore.value, maturity))
      .map(({ outpoint, amount, blockDaaScore }) => ({
        key: `${outpoint.transactionId}:${outpoint.index}`,
        amount,
        remaining: blockDaaScore + maturity - daaScore.value,
      }))
      .toSorted((a, b) => Number(a.remaining - b.remaining))
  })
}
