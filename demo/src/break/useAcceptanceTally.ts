import { useSubscription } from '@vueuse/rxjs'
import { useChainEngine, useRpc, useRpcQuery, type AcceptanceChange, type VirtualChainResult } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'

/** How often the node is asked, in ms. What differs at two answers in a row differs. */
const PERIOD = 2000
/** How many chain blocks back it is asked for, and what of them is remembered: more than they can have accepted. */
const REACH = 100
const REMEMBERED = 50_000

/** Accepted transactions that were never heard of (`lost`, undefined until the node was asked) and those heard of twice. */
export function useAcceptanceTally(): { lost: Readonly<Ref<number | undefined>>; doubled: Readonly<Ref<number>> } {
  const chainBlocks: string[] = []
  const accepted = new Set<string>()
  const missed = new Set<string>()
  const doubled = shallowRef(0)
  const lost = shallowRef<number>()

  function hear({ type, transactionId, acceptingBlockHash }: AcceptanceChange): void {
    if (chainBlocks.at(-1) !== acceptingBlockHash) chainBlocks.push(acceptingBlockHash)
    if (chainBlocks.length > REACH) chainBlocks.shift()
    if (type === 'reverted') accepted.delete(transactionId)
    else if (accepted.has(transactionId)) doubled.value += 1
    else accepted.add(transactionId)
    forgetOldest(accepted)
  }
  useSubscription(useChainEngine().acceptedTransactions$().subscribe(hear))

  const { data } = useRpcQuery(
    'accepted',
    async (rpc) => {
      const [start] = chainBlocks
      return start === undefined ? undefined : rpc.getVirtualChainFromBlock(start, true)
    },
    { refetchInterval: PERIOD },
  )
  const unheard = (answer: VirtualChainResult | undefined): readonly string[] =>
    (answer?.acceptedTransactionIds ?? [])
      .flatMap((block) => block.acceptedTransactionIds)
      .filter((id) => !accepted.has(id))

  let before: readonly string[] = []
  // What one connection still had to tell is told by the next
  watch(useRpc().isConnected, () => (before = []))
  watch(data, (answer) => {
    const now = unheard(answer)
    for (const id of now) if (before.includes(id)) missed.add(id)
    before = now
    lost.value = answer && missed.size
  })
  return { lost: shallowReadonly(lost), doubled: shallowReadonly(doubled) }
}

function forgetOldest(ids: Set<string>): void {
  for (const oldest of ids) {
    if (ids.size <= REMEMBERED) return
    ids.delete(oldest)
  }
}
