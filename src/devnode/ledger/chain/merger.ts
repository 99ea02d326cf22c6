import type { LedgerBlock } from '../block.js'
import type { ChainState } from './chain-state.js'

/** The chain block that merged a block; undefined where only virtual has, or none. */
export function mergerOf({ dag, chain }: ChainState, hash: string): LedgerBlock | undefined {
  const block = dag.find(hash)
  if (block === undefined) return undefined
  const { blueWork } = block.context.ghostdag
  for (
    let place = firstHeavier(chain.length, (at) => dag.weigh(chain.at(at)).blueWork > blueWork);
    place < chain.length;
    place++
  ) {
    const merger = dag.get(chain.at(place))
    if (merger.context.ghostdag.mergeset.includes(hash)) return merger
  }
  return undefined
}

/** The first of `length` places for which a condition holds that holds for all after it; `length` where there is none. */
export function firstHeavier(length: number, holds: (place: number) => boolean): number {
  let low = 0
  let high = length
  while (low < high) {
    const middle = (low + high) >> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
