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

  /** Walks back from the sink until it meets what was known before, and tells of all that lies after that point. */
  async function fill(): Promise<void> {
    const known = new Set(dag.value.blocks.map(({ hash }) => hash))
    let lowHash: string | undefined = (await getSink()).sink
    let recent: readonly RpcBlock[] = []
    for (let step = 0; step < REACH && lowHash !== undefined; step++) {
      const from: string = lowHash
      recent = (await getBlocks({ lowHash: from, includeBlocks: true, includeTransactions: true })).blocks
      lowHash = known.has(from)
        ? undefined
        : recent.find(({ header }) => header.hash === from)?.verboseData?.selectedParentHash
    }
    const chain = recent.filter(({ verboseData }) => verboseData?.isChainBlock).map(({ header }) => header.hash)
    tell({ type: 'filled', blocks: recent.map(toBlock), chain })
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
