import { give, refuse } from '../answer.js'
import type { LedgerBlock } from '../block.js'
import { mergerOf } from '../chain/merger.js'
import { unknownHeader, type Queries } from './scope.js'

/** What became of a block: its colour, and what its miner got. */
export const rewardQueries: Queries<'getCurrentBlockColor' | 'getBlockRewardInfo'> = {
  getCurrentBlockColor: ({ network: { state } }, { hash }) => {
    const merger = mergerOf(state, hash)
    if (merger === undefined) return refuse(`Block ${hash} doesn't have any merger block.`)
    return give({ blue: merger.context.ghostdag.blues.includes(hash) })
  },

  getBlockRewardInfo: ({ network: { state } }, { hash }) => {
    const block = state.dag.find(hash)
    if (block === undefined) return refuse(unknownHeader(hash))
    const { header } = block
    const merger = mergerOf(state, hash)
    if (merger === undefined) return give({ header, blockColor: 'unknown' })
    const confirmationCount = state.sink.header.blueScore - merger.header.blueScore
    const merged = { header, confirmationCount, mergingChainBlockHash: merger.hash }
    const place = merger.context.ghostdag.blues.indexOf(hash)
    if (place === -1) return give({ ...merged, blockColor: 'red' })
    const paid = payouts(merger)[place]
    if (paid === undefined)
      return refuse(`missing reward output ${String(place)} in merging chain block ${merger.hash}`)
    const forReds = merger.context.ghostdag.selectedParent === hash ? redReward(block) : 0n
    return give({ ...merged, blockColor: 'blue', rewardAmount: paid + forReds })
  },
}

const payouts = ({ transactions }: LedgerBlock): readonly bigint[] =>
  transactions[0]?.transaction.outputs.map(({ value }) => value) ?? []

/** What a chain block's own miner got for the reds it merged: the output of its coinbase beyond those for blues. */
const redReward = (block: LedgerBlock): bigint => payouts(block)[block.context.ghostdag.blues.length] ?? 0n
