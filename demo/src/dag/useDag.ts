import { useSubscription } from '@vueuse/rxjs'
import { useRpcEvent, type RpcBlock } from 'vue-chain'
import { shallowReadonly, shallowRef, type Ref } from 'vue'
import { announce } from '../shared/announcer'
import { useBlockFeed } from '../shared/block-feed'
import { EMPTY_DAG, reduceDag, type Block, type Dag, type DagEvent } from './dag'

/** The newest blocks and the virtual chain, from the block feed and `virtual-chain-changed`. */
export function useDag(): Readonly<Ref<Dag>> {
  const dag = shallowRef(EMPTY_DAG)
  const apply = (event: DagEvent): void => {
    dag.value = reduceDag(dag.value, event)
  }
  useSubscription(
    useBlockFeed().subscribe(({ type, blocks }) => {
      if (type === 'recent')
        apply({ type: 'backfilled', blocks: blocks.map(toBlock), chain: blocks.filter(isOnChain).map(hashOf) })
      else for (const block of blocks) apply({ type: 'added', block: toBlock(block) })
    }),
  )
  useRpcEvent('virtual-chain-changed', ({ data }) => {
    const { removedChainBlockHashes: removed, addedChainBlockHashes: added } = data
    if (removed.length > 0) announce(`Reorg: ${removed.length} chain blocks replaced`)
    apply({ type: 'chain-changed', removed, added })
  })
  return shallowReadonly(dag)
}

const isOnChain = ({ verboseData }: RpcBlock): boolean => verboseData?.isChainBlock ?? false
const hashOf = ({ header }: RpcBlock): string => header.hash

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
