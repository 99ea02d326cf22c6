import { MERGESET_LIMIT } from '../params.js'
import { give, refuse } from '../answer.js'
import type { ChainState } from '../chain/chain-state.js'
import type { RpcResponse } from '../../../node/messages/records.js'
import { difficultyOf } from '../chain/difficulty.js'
import { toRpcBlock } from '../records/blocks.js'
import { unknownHeader, type Queries } from './scope.js'

/** Blocks, and what the DAG looks like as a whole. */
export const blockQueries: Queries<
  | 'getBlock'
  | 'getBlocks'
  | 'getBlockCount'
  | 'getBlockDagInfo'
  | 'getHeaders'
  | 'getSink'
  | 'getSinkBlueScore'
  | 'getSubnetwork'
> = {
  getBlock: ({ network: { state } }, { hash, includeTransactions }) => {
    const block = state.dag.find(hash)
    if (block === undefined) return refuse(unknownHeader(hash))
    return give({ block: toRpcBlock(state, block, includeTransactions ? 'transactions' : 'ids') })
  },

  getBlocks: ({ network: { state } }, { lowHash = state.dag.genesis, includeBlocks, includeTransactions }) => {
    if (includeTransactions && !includeBlocks)
      return refuse('If includeTransactions is set, then includeBlockVerboseData must be set as well.')
    if (!state.dag.has(lowHash)) return refuse(unknownHeader(lowHash))
    const blockHashes = hashesAbove(state, lowHash)
    const detail = includeTransactions ? 'transactions' : 'ids'
    const blocks = includeBlocks ? blockHashes.map((hash) => toRpcBlock(state, state.dag.get(hash), detail)) : []
    return give({ blockHashes, blocks })
  },

  getBlockCount: ({ network: { state } }) => give(countBlocks(state)),

  getBlockDagInfo: ({ network: { state } }) => {
    const { dag, network, virtual, chain } = state
    return give({
      network,
      ...countBlocks(state),
      tipHashes: dag.tips(),
      difficulty: difficultyOf(state.sink.header.bits),
      pastMedianTime: virtual.context.pastMedianTime,
      virtualParentHashes: virtual.context.parents,
      pruningPointHash: dag.genesis,
      virtualDaaScore: virtual.context.daaScore,
      sink: chain.sink,
    })
  },

  getHeaders: () => refuse('Not implemented'),
  getSubnetwork: () => refuse('Not implemented'),
  getSink: ({ network: { state } }) => give({ sink: state.chain.sink }),
  getSinkBlueScore: ({ network: { state } }) => give({ blueScore: state.sink.header.blueScore }),
}

/**
 * A node does not count, it estimates by DAA score: blocks that virtual merges, and headers up to the heaviest tip. Genesis is
 * not among them.
 */
function countBlocks({ dag, virtual }: ChainState): RpcResponse<'getBlockCount'> {
  const first = dag.get(dag.genesis).header.daaScore
  const heaviest = dag.get(dag.tips()[0] ?? dag.genesis).header.daaScore
  const { daaScore } = virtual.context
  return { blockCount: daaScore - first, headerCount: (heaviest > daaScore ? heaviest : daaScore) - first }
}

/**
 * From a block towards the sink, in whole mergesets, as many as a page holds; then, where the sink is reached, what stands
 * beside it. The block itself comes first, what is in its past not at all.
 */
function hashesAbove(state: ChainState, low: string): readonly string[] {
  const { dag, chain } = state
  const start = highestChainBlock(state, low)
  const hashes: string[] = []
  let reached = start
  for (const hash of chain.slice(start + 1)) {
    const { mergeset } = dag.get(hash).context.ghostdag
    if (hashes.length + mergeset.length > MERGESET_LIMIT + 1) break
    hashes.push(...mergeset.filter((merged) => !dag.isInPastOrSame(merged, low)))
    reached++
  }
  if (reached > start) hashes.push(chain.at(reached))
  const beside = reached === chain.length - 1 ? besideSink(state) : []
  return [...new Set([low, ...hashes, ...beside])]
}

/** The place of the last chain block on the way from a block down to genesis. */
function highestChainBlock({ dag, chain }: ChainState, hash: string): number {
  for (let at = hash; ; at = dag.get(at).context.ghostdag.selectedParent) {
    const place = chain.placeOf(at)
    if (place !== undefined) return place
  }
}

/** Blocks that the sink does not know, and that do not know it. */
function besideSink({ dag, chain }: ChainState): readonly string[] {
  const queue = dag.tips().filter((tip) => !dag.isInPastOrSame(tip, chain.sink))
  const seen = new Set(queue)
  for (const hash of queue)
    for (const parent of dag.get(hash).context.parents) {
      if (seen.has(parent) || dag.isInPastOrSame(parent, chain.sink)) continue
      seen.add(parent)
      queue.push(parent)
    }
  return queue.filter((hash) => !dag.isInPast(chain.sink, hash))
}
