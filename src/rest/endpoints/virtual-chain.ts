import { hash, multipleOf, oneOf, whole, yesOrNo } from './arguments.js'
import type { Endpoints } from './endpoint.js'
import { TIP } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestVcBlock, ChainRestVirtualChainFromBlock } from '../records/virtual-chain.js'

export interface GetVirtualChainOptions extends ChainRestRequestOptions {
  /** The blue score to begin with: a multiple of `limit`, and not ahead of the tip. */
  readonly blueScoreGte: number
  /** How many blue scores. @default 10 */
  readonly limit?: 10 | 100 | undefined
  /** What the inputs spend. @default false */
  readonly resolveInputs?: boolean | undefined
  /** @default true */
  readonly includeCoinbase?: boolean | undefined
}

export interface VirtualChainFromBlockOptions extends ChainRestRequestOptions {
  /** @default true */
  readonly includeAcceptedTransactionIds?: boolean | undefined
}

/** The chain of blocks that accept transactions. */
export interface VirtualChainOperations {
  /** Chain blocks by rising blue score, with what they accepted; those that are left without transactions are left out. */
  readonly getVirtualChain: (options?: GetVirtualChainOptions) => Promise<ChainRestVcBlock[]>
  /**
   * How the chain went on from a block. Three empty lists: the node does not know the block. Rejects with status 404
   * where the server does not offer it.
   */
  readonly getVirtualChainFromBlock: (
    startHash: string,
    options?: VirtualChainFromBlockOptions,
  ) => Promise<ChainRestVirtualChainFromBlock>
}

export const virtualChainEndpoints: Endpoints<VirtualChainOperations> = {
  getVirtualChain: {
    get: '/virtual-chain',
    query: { blueScoreGte: whole, limit: oneOf(10, 100), resolveInputs: yesOrNo, includeCoinbase: yesOrNo },
    needs: ['blueScoreGte'],
    rule: ({ blueScoreGte, limit = 10 }) => multipleOf(Number(limit))(blueScoreGte, 'blueScoreGte'),
    reads: 'virtualChain',
    keep: TIP,
    slow: true,
    isSettled: (blocks) => blocks.length > 0,
  },
  getVirtualChainFromBlock: {
    get: '/info/get-vscp-from-block',
    takes: ['startHash'],
    query: { startHash: hash, includeAcceptedTransactionIds: yesOrNo },
    needs: ['startHash'],
    reads: 'virtualChainFromBlock',
    keep: TIP,
    slow: true,
  },
}
