import { useRpcQuery, useUtxo, type BalanceResult, type UtxoEntry } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import { accounts } from '../devnode'

/** Poll interval in ms. */
const PERIOD = 2000

export type Verdict = 'unknown' | 'equal' | 'different'

/** Whether the page's account balances equal the node's. */
export function useBalanceTally(): Readonly<Ref<Verdict>> {
  const addresses = accounts.map(({ address }) => address)
  const { entries, freshness } = useUtxo(addresses)
  const { data } = useRpcQuery({
    queryKey: ['balances', addresses],
    queryFn: ({ rpc, signal }) => rpc.getBalancesByAddresses(addresses, { signal }),
    refetchInterval: PERIOD,
  })
  const verdict = shallowRef<Verdict>('unknown')

  watch(data, (response, before) => {
    if (response === undefined || freshness.value !== 'fresh') return
    const node = toText(response)
    // A payment may arrive between the two reads: a difference counts once the node has returned the same balances
    // twice.
    const isStable = before !== undefined && node === toText(before)
    if (node === toText(sumUp(entries.value))) verdict.value = 'equal'
    else if (isStable) verdict.value = 'different'
  })
  return shallowReadonly(verdict)
}

/** A comparable text of balances by address. */
const toText = (balances: readonly BalanceResult[]): string =>
  balances
    .map(({ address, balance }) => `${address} ${balance}`)
    .sort()
    .join()

function sumUp(entries: readonly UtxoEntry[]): readonly BalanceResult[] {
  const sums = new Map(accounts.map(({ address }) => [address, 0n]))
  for (const { address, amount } of entries) {
    if (address !== undefined) sums.set(address, (sums.get(address) ?? 0n) + amount)
  }
  return [...sums].map(([address, balance]) => ({ address, balance }))
}
