import { hash, multipleOf, oneOf, nonNegative, bool } from './arguments.js'
import type { Endpoints } from './endpoint.js'
import { TIP } from '../requests/cache-policy.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestVcBlock, ChainRestVirtualChainFromBlock } from '../records/virtual-chain.js'

export interface GetVirtualChainOptions extends ChainRestRequestOptions {
  /** The first blue score: a multiple of `limit`, and not ahead of the tip. */
  readonly blueScoreGte: number
  /** Number of blue scores. @default 10 */
  readonly limit?: 10 | 100 | undefined
  /** Includes the outputs that the inputs spend. @default false */
  readonly resolveInputs?: boolean | undefined
  /** @default true */
  readonly includeCoinbase?: boolean | undefined
}

export interface VirtualChainFromBlockOptions extends ChainRestRequestOptions {
  /** @default true */
  readonly includeAcceptedTransactionIds?: boolean | undefined
}

/** The virtual chain and its accepted transactions. */
export interface VirtualChainOperations {
  /** Chain blocks by ascending blue score, with their accepted transactions; chain blocks without any are omitted. */
  readonly getVirtualChain: (options?: GetVirtualChainOptions) => Promise<ChainRestVcBlock[]>
  /**
   * Changes of the virtual chain since a block. All three lists are empty if the node does not know the block. Rejects with
   * status 404 on servers without this endpoint.
   */
  readonly getVirtualChainFromBlock: (
    startHash: string,
    options?: VirtualChainFromBlockOptions,
  ) => Promise<ChainRestVirtualChainFromBlock>
}

export const virtualChainEndpoints: Endpoints<VirtualChainOperations> = {
  getVirtualChain: {
    get: '/virtual-chain',
    query: { blueScoreGte: nonNegative, limit: oneOf(10, 100), resolveInputs: bool, includeCoinbase: bool },
    required: ['blueScoreGte'],
    rule: ({ blueScoreGte, limit = 10 }) => multipleOf(Number(limit))(blueScoreGte, 'blueScoreGte'),
    decoder: 'virtualChain',
    cache: TIP,
    slow: true,
    isSettled: (blocks) => blocks.length > 0,
  },
  getVirtualChainFromBlock: {
    get: '/info/get-vscp-from-block',
    extraArguments: ['startHash'],
    query: { startHash: hash, includeAcceptedTransactionIds: bool },
    required: ['startHash'],
    decoder: 'virtualChainFromBlock',
    cache: TIP,
    slow: true,
  },
}
