import { useSubscription } from '@vueuse/rxjs'
import { useChainEngine, useRpc, useRpcQuery, type AcceptanceChange, type VirtualChainResult } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'

/** Poll interval in ms. A transaction missing in two consecutive polls counts as lost. */
const PERIOD = 2000
/** Depth of the comparison in chain blocks, and more ids than they can have accepted. */
const MAX_CHAIN_BLOCKS = 100
const MAX_IDS = 50_000

/** Counts accepted transactions not emitted (`lost`, undefined until the first poll) and those emitted twice. */
export function useAcceptanceTally(): { lost: Readonly<Ref<number | undefined>>; doubled: Readonly<Ref<number>> } {
  const chainBlocks: string[] = []
  const accepted = new Set<string>()
  const missingIds = new Set<string>()
  const doubled = shallowRef(0)
  const lost = shallowRef<number>()

  function apply(change: AcceptanceChange): void {
    if (change.type === 'rollback') return // the reverted transactions follow
    const { type, transactionId, acceptingBlockHash } = change
    if (chainBlocks.at(-1) !== acceptingBlockHash) chainBlocks.push(acceptingBlockHash)
    if (chainBlocks.length > MAX_CHAIN_BLOCKS) chainBlocks.shift()
    if (type === 'reverted') accepted.delete(transactionId)
    else if (accepted.has(transactionId)) doubled.value += 1
    else accepted.add(transactionId)
    pruneOldest(accepted)
  }
  useSubscription(useChainEngine().acceptedTransactions$().subscribe(apply))

  const { data } = useRpcQuery({
    queryKey: ['accepted'],
    queryFn: async ({ rpc, signal }) => {
      const [start] = chainBlocks
      return start === undefined ? null : rpc.getVirtualChainFromBlock(start, true, { signal })
    },
    refetchInterval: PERIOD,
  })
  const unseenIds = (response: VirtualChainResult | null | undefined): readonly string[] =>
    (response?.acceptedTransactionIds ?? [])
      .flatMap((block) => block.acceptedTransactionIds)
      .filter((id) => !accepted.has(id))

  let before: readonly string[] = []
  // pending notifications of a dropped connection are backfilled by the next one
  watch(useRpc().isConnected, () => (before = []))
  watch(data, (response) => {
    const now = unseenIds(response)
    for (const id of now) if (before.includes(id)) missingIds.add(id)
    before = now
    lost.value = response ? missingIds.size : undefined
  })
  return { lost: shallowReadonly(lost), doubled: shallowReadonly(doubled) }
}

function pruneOldest(ids: Set<string>): void {
  for (const oldest of ids) {
    if (ids.size <= MAX_IDS) return
    ids.delete(oldest)
  }
}
