import { useRpc, useRpcEvent, type RpcBlock } from 'vue-chain'
import { shallowReadonly, shallowRef, watch, type Ref } from 'vue'
import { announce } from '../shared/announcer'
import { EMPTY_DAG, reduceDag, type Block, type Dag, type DagEvent } from './dag'

/** How many generations the picture reaches back when a connection stands. */
const REACH = 24

/** The newest blocks as the node tells of them; after each connect, also those that were missed. */
export function useDag(): Readonly<Ref<Dag>> {
  const dag = shallowRef(EMPTY_DAG)
  const { isConnected, getSink, getBlocks } = useRpc()

  const tell = (event: DagEvent): void => {
    dag.value = reduceDag(dag.value, event)
  }
  useRpcEvent('block-added', ({ data }) => tell({ type: 'added', block: toBlock(data.block) }))
  useRpcEvent('virtual-chain-changed', ({ data }) => {
    const { removedChainBlockHashes: removed, addedChainBlockHashes: added } = data
    if (removed.length > 0) announce(`Reorg: ${removed.length} chain blocks replaced`)
    tell({ type: 'moved', removed, added })
  })

  /** Walks back from the sink, then tells of all that lies after that point, oldest first. */
  async function fill(): Promise<void> {
    let lowHash = (await getSink()).sink
    let missed: readonly RpcBlock[] = []
    for (let step = 0; step < REACH; step++) {
      missed = (await getBlocks({ lowHash, includeBlocks: true, includeTransactions: true })).blocks
      const oldest = missed.find((block) => block.header.hash === lowHash)
      const parent = oldest?.verboseData?.selectedParentHash
      if (!parent || dag.value.blocks.some((block) => block.hash === lowHash)) break
      lowHash = parent
    }
    for (const block of missed) tell({ type: 'added', block: toBlock(block) })
    const isOnChain = (block: RpcBlock): boolean => block.verboseData?.isChainBlock === true
    tell({
      type: 'moved',
      removed: missed.filter((block) => !isOnChain(block)).map((block) => block.header.hash),
      added: missed.filter(isOnChain).map((block) => block.header.hash),
    })
  }
  // The picture is made whole as far as a connection allows; should it drop meanwhile, the next one begins again.
  watch(isConnected, (connected) => connected && void fill().catch(() => undefined), { immediate: true })

  return shallowReadonly(dag)
}

function toBlock({ header, verboseData, transactions }: RpcBlock): Block {
  return {
    hash: header.hash,
    daaScore: header.daaScore,
    blueScore: header.blueScore,
    timestamp: Number(header.timestamp),
    parents: header.parentsByLevel[0] ?? [],
    selectedParent: verboseData?.selectedParentHash ?? '',
    blues: verboseData?.mergeSetBluesHashes ?? [],
    reds: verboseData?.mergeSetRedsHashes ?? [],
    payments: Math.max(0, transactions.length - 1),
  }
}
