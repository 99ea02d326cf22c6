import { succeed, fail } from '../result.js'
import { findBlock, unknownHeader, type Queries } from './scope.js'
import type { LedgerBlock } from '../block.js'
import { mergerOf } from '../chain/merger.js'

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
