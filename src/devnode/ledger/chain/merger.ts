import type { LedgerBlock } from '../block.js'
import type { ChainState } from './chain-state.js'

/** The chain block that merged a block; undefined if it is unmerged or merged by virtual only. */
export function mergerOf({ dag, chain }: ChainState, hash: string): LedgerBlock | undefined {
  const block = dag.find(hash)
  if (block === undefined) return undefined
  const { blueWork } = block.context.ghostdag
  for (
    let index = firstIndexWhere(chain.length, (at) => dag.sortable(chain.at(at)).blueWork > blueWork);
    index < chain.length;
    index++
  ) {
    const merger = dag.get(chain.at(index))
    if (merger.context.ghostdag.mergeset.includes(hash)) return merger
  }
  return undefined
}

/** Binary search: the first index below `length` that meets a monotonic condition, else `length`. */
export function firstIndexWhere(length: number, holds: (index: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
