import { MERGESET_LIMIT, difficultyOf } from '../params.js'
import { succeed, fail } from '../result.js'
import { findBlock, unknownHeader, type Queries } from './scope.js'
import { type ChainState, mergerOf } from '../chain/chain-state.js'
import type { RpcResponse } from '../../../node/messages/records.js'
import { toRpcBlock } from '../records/events.js'
import type { LedgerBlock } from '../block.js'

/** Queries of blocks and DAG info. */
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
  getBlock: ({ network }, { hash, includeTransactions }) => {
    const block = findBlock(network, hash)
    if (block === undefined) return fail(unknownHeader(hash))
    return succeed({ block: toRpcBlock(network, block, includeTransactions ? 'transactions' : 'ids') })
  },

  getBlocks: ({ network }, { lowHash = network.retention.root, includeBlocks, includeTransactions }) => {
    const { state } = network
    if (includeTransactions && !includeBlocks)
      return fail('If includeTransactions is set, then includeBlockVerboseData must be set as well.')
    if (findBlock(network, lowHash) === undefined) return fail(unknownHeader(lowHash))
    const blockHashes = hashesAbove(state, lowHash)
    const detail = includeTransactions ? 'transactions' : 'ids'
    const blocks = includeBlocks ? blockHashes.map((hash) => toRpcBlock(network, state.dag.get(hash), detail)) : []
    return succeed({ blockHashes, blocks })
  },

  getBlockCount: ({ network: { state } }) => succeed(countBlocks(state)),

  getBlockDagInfo: ({ network: { state, retention } }) => {
    const { dag, network, virtual, chain } = state
    return succeed({
      network,
      ...countBlocks(state),
      tipHashes: dag.tips(),
      difficulty: difficultyOf(state.sink.header.bits),
      pastMedianTime: virtual.context.pastMedianTime,
      virtualParentHashes: virtual.context.parents,
      pruningPointHash: retention.root,
      virtualDaaScore: virtual.context.daaScore,
      sink: chain.sink,
    })
  },

  getHeaders: () => fail('Not implemented'),
  getSubnetwork: () => fail('Not implemented'),
  getSink: ({ network: { state } }) => succeed({ sink: state.chain.sink }),
  getSinkBlueScore: ({ network: { state } }) => succeed({ blueScore: state.sink.header.blueScore }),
}

/**
 * The node estimates counts by DAA score: blocks up to virtual, headers up to the heaviest tip. Genesis is not counted.
 */
function countBlocks({ dag, virtual }: ChainState): RpcResponse<'getBlockCount'> {
  const first = dag.get(dag.genesis).header.daaScore
  const heaviest = dag.highestScore()
  const { daaScore } = virtual.context
  return { blockCount: daaScore - first, headerCount: (heaviest > daaScore ? heaviest : daaScore) - first }
}

/**
 * A page of blocks from `low` towards the sink in whole mergesets, `low` first, without its past. The last page also
 * has the anticone of the sink.
 */
function hashesAbove(state: ChainState, low: string): readonly string[] {
  const { dag, chain } = state
  const start = highestChainBlock(state, low)
  const hashes: string[] = []
  let last = start
  for (const hash of chain.slice(start + 1)) {
    const { mergeset } = dag.get(hash).context.ghostdag
    if (hashes.length + mergeset.length > MERGESET_LIMIT + 1) break
    hashes.push(...mergeset.filter((merged) => !dag.isInPastOrSame(merged, low)))
    last++
  }
  if (last > start) hashes.push(chain.at(last))
  const anticone = last === chain.length - 1 ? sinkAnticone(state) : []
  return [...new Set([low, ...hashes, ...anticone])]
}

/** The chain index of the highest chain block among a block and its selected parents. */
function highestChainBlock({ dag, chain }: ChainState, hash: string): number {
  for (let at = hash; ; at = dag.get(at).context.ghostdag.selectedParent) {
    const index = chain.indexOf(at)
    if (index !== undefined) return index
  }
}

function sinkAnticone({ dag, chain }: ChainState): readonly string[] {
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

/** Queries of block colour and miner reward. */
export const rewardQueries: Queries<'getCurrentBlockColor' | 'getBlockRewardInfo'> = {
  getCurrentBlockColor: ({ network: { state } }, { hash }) => {
    const merger = mergerOf(state, hash)
    if (merger === undefined) return fail(`Block ${hash} doesn't have any merger block.`)
    return succeed({ blue: merger.context.ghostdag.blues.includes(hash) })
  },

  getBlockRewardInfo: ({ network }, { hash }) => {
    const { state } = network
    const block = findBlock(network, hash)
    if (block === undefined) return fail(unknownHeader(hash))
    const { header } = block
    const merger = mergerOf(state, hash)
    if (merger === undefined) return succeed({ header, blockColor: 'unknown' })
    const confirmationCount = state.sink.header.blueScore - merger.header.blueScore
    const merged = { header, confirmationCount, mergingChainBlockHash: merger.hash }
    const index = merger.context.ghostdag.blues.indexOf(hash)
    if (index === -1) return succeed({ ...merged, blockColor: 'red' })
    const paid = payouts(merger)[index]
    if (paid === undefined) return fail(`missing reward output ${String(index)} in merging chain block ${merger.hash}`)
    const forRedBlocks = merger.context.ghostdag.selectedParent === hash ? redReward(block) : 0n
    return succeed({ ...merged, blockColor: 'blue', rewardAmount: paid + forRedBlocks })
  },
}

const payouts = ({ transactions }: LedgerBlock): readonly bigint[] =>
  transactions[0]?.transaction.outputs.map(({ value }) => value) ?? []

/** The reward of a chain block's miner for merged red blocks: the coinbase output after those for blue blocks. */
const redReward = (block: LedgerBlock): bigint => payouts(block)[block.context.ghostdag.blues.length] ?? 0n
