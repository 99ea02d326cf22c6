import type { ChainRpcError } from '../../errors/rpc-error.js'
import type { LocatorEntry } from '../../model/chain-cursor/locator.js'

/**
 * Why a followed chain stands still or goes back without a reorg. `behind`: the chain of the node does not reach the
 * position. `malformed`: a response of the node cannot be, and another endpoint is used where there is one. `rewound`:
 * the position was no block of the chain, so that the iteration goes on at an older one.
 */
export type ChainProblem =
  | {
      readonly type: 'behind'
      /** Without credentials. */
      readonly url: string
      /** The newest followed block. */
      readonly block: LocatorEntry
    }
  | { readonly type: 'malformed'; readonly url: string; readonly error: ChainRpcError }
  | {
      readonly type: 'rewound'
      /** The endpoints that do not have `block` on their chains. */
      readonly urls: readonly string[]
      readonly block: LocatorEntry
      /** The block at which the iteration goes on. */
      readonly to: LocatorEntry
    }
