import { useSubscription } from '@vueuse/rxjs'
import { useChainEngine, useRpcQuery, useUtxo, type AcceptanceChange, type VirtualChainResult } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import { accounts } from '../devnode'

/** How often the node is asked, in ms. What differs at two answers in a row differs. */
const PERIOD = 2000
/** How many chain blocks back it is asked for. */
const REACH = 100

/** Accepted transactions that were never heard of (`lost`, undefined until the node was asked) and those heard of twice. */
export function useAcceptanceTally(): { lost: Readonly<Ref<number | undefined>>; doubled: Readonly<Ref<number>> } {
  const chainBlocks: string[] = []
  const accepted = new Set<string>()
  const missed = new Set<string>()
  const doubled = shallowRef(0)
  const lost = shallowRef<number>()

  function hear({ type, transactionId, acceptingBlockHash }: AcceptanceChange): void {
    if (chainBlocks.at(-1) !== acceptingBlockHash) chainBlocks.push(acceptingBlockHash)
    if (type === 'reverted') accepted.delete(transactionId)
    else if (accepted.has(transactionId)) doubled.value += 1
    else accepted.add(transactionId)
  }
  useSubscription(useChainEngine().acceptedTransactions$().subscribe(hear))

  const { data } = useRpcQuery(
    'accepted',
    async (rpc) => {
      const start = chainBlocks.at(-REACH) ?? chainBlocks[0]
      return start === undefined ? undefined : rpc.getVirtualChainFromBlock(start, true)
    },
    { refetchInterval: PERIOD },
  )
  const unheard = (answer: VirtualChainResult | undefined): readonly string[] =>
    (answer?.acceptedTransactionIds ?? [])
      .flatMap((block) => block.acceptedTransactionIds)
      .filter((id) => !accepted.has(id))

  let before: readonly string[] = []
  watch(data, (answer) => {
    const now = unheard(answer)
    for (const id of now) if (before.includes(id)) missed.add(id)
    before = now
    lost.value = answer && missed.size
  })
  return { lost: shallowReadonly(lost), doubled: shallowReadonly(doubled) }
}

export type Verdict = 'unknown' | 'equal' | 'different'

/** Whether the balances on this page are what the node says they are. */
export function useBalanceTally(): Readonly<Ref<Verdict>> {
  const addresses = accounts.map(({ address }) => address)
  const { entries, freshness } = useUtxo(addresses)
  const { data } = useRpcQuery('balances', (rpc) => rpc.getBalancesByAddresses(addresses), { refetchInterval: PERIOD })
  const verdict = shallowRef<Verdict>('unknown')

  watch(data, (answer, before) => {
    if (answer === undefined || freshness.value !== 'fresh') return
    const sum = (amounts: readonly bigint[]): bigint => amounts.reduce((total, amount) => total + amount, 0n)
    const node = sum(answer.map(({ balance }) => balance))
    // A payment may lie between the two readings: a difference counts when the node has said the same twice.
    const isSettled = before !== undefined && node === sum(before.map(({ balance }) => balance))
    if (node === sum(entries.value.map(({ amount }) => amount))) verdict.value = 'equal'
    else if (isSettled) verdict.value = 'different'
  })
  return shallowReadonly(verdict)
}
