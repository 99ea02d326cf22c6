import { useRpcQuery, useUtxo, type BalanceResult, type UtxoEntry } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import { accounts } from '../devnode'

/** How often the node is asked, in ms. What differs at two answers in a row differs. */
const PERIOD = 2000

export type Verdict = 'unknown' | 'equal' | 'different'

/** Whether the balance of each account on this page is what the node says it is. */
export function useBalanceTally(): Readonly<Ref<Verdict>> {
  const addresses = accounts.map(({ address }) => address)
  const { entries, freshness } = useUtxo(addresses)
  const { data } = useRpcQuery('balances', (rpc) => rpc.getBalancesByAddresses(addresses), { refetchInterval: PERIOD })
  const verdict = shallowRef<Verdict>('unknown')

  watch(data, (answer, before) => {
    if (answer === undefined || freshness.value !== 'fresh') return
    const node = toText(answer)
    // A payment may lie between the two readings: a difference counts when the node has said the same twice.
    const isSettled = before !== undefined && node === toText(before)
    if (node === toText(sumUp(entries.value))) verdict.value = 'equal'
    else if (isSettled) verdict.value = 'different'
  })
  return shallowReadonly(verdict)
}

/** Balances by address, to be compared as a whole. */
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
