import type { WireResponders } from '../../test/wire-node.js'
import { chainHash, indexOf } from './chain-blocks.js'
import { blockOf, pageOf } from './served-chain.js'

/** The virtual chain of a node in memory. */
export interface GrowingChain {
  /** Responses about the chain. */
  readonly responders: WireResponders
  /** Adds a block. */
  readonly grow: () => void
  /** The number of added blocks. */
  readonly length: () => number
}

/** A chain whose blocks accept `payments` each. Its blocks are created when they are requested. */
export function createGrowingChain(payments: number): GrowingChain {
  let tip = 0
  const responders: WireResponders = {
    getSink: () => ({ sink: chainHash(tip) }),
    getBlock: ({ hash }) => blockOf(indexOf(hash)),
    getVirtualChainFromBlockV2: ({ startHash }) => {
      const first = indexOf(startHash) + 1
      const pages = Array.from({ length: tip + 1 - first }, (_, at) => pageOf(first + at, payments))
      return {
        removedChainBlockHashes: [],
        addedChainBlockHashes: pages.flatMap(({ addedChainBlockHashes }) => addedChainBlockHashes),
        chainBlockAcceptedTransactions: pages.flatMap((page) => page.chainBlockAcceptedTransactions),
      }
    },
  }
  return { responders, grow: () => tip++, length: () => tip }
}
