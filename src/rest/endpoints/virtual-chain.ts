import { hash, multipleOf, oneOf, nonNegative, bool } from './arguments.js'
import { ChainRestError } from '../../errors/rest-error.js'
import { blockEndpoints } from './blocks.js'
import { createOperations, type CallEndpoint, type Endpoints } from './endpoint.js'
import { requireSyncedNode, infoEndpoints } from './info.js'
import { TIP } from '../requests/prepared-request.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestVcBlock, ChainRestVirtualChainFromBlock } from '../records/acceptance.js'

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
   * Changes of the virtual chain since a block; all three lists are empty at its tip. Rejects with status 404 if the
   * node does not know the block, and on servers without this endpoint.
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

/**
 * An unknown block is three empty lists on servers that use gRPC, as the tip is, and an internal error on those that
 * use wRPC, as other failures are: a second request distinguishes them.
 */
export function createVirtualChainOperations(call: CallEndpoint, shownUrl: string): VirtualChainOperations {
  const operations = createOperations<VirtualChainOperations>(call, virtualChainEndpoints)

  /** Whether the block is the tip, or was until the tip moved. */
  async function isOnChain(startHash: string, options: VirtualChainFromBlockOptions): Promise<boolean> {
    const { sink } = await call(infoEndpoints.getBlockDag, {}, { ...common(options), forceRefresh: true })
    return sink === startHash
  }

  /**
   * Whether the server's node does not know the block. The server lists blocks from the node alone: a single block
   * comes from the database, too. False where it cannot be found out.
   */
  async function isUnknown(startHash: string, options: VirtualChainFromBlockOptions): Promise<boolean> {
    try {
      const { blockHashes = [] } = await call(
        blockEndpoints.getBlocks,
        { lowHash: startHash },
        { ...common(options), forceRefresh: true },
      )
      if (blockHashes.length > 0) return false
      await requireSyncedNode(call, shownUrl, options)
      return true
    } catch (error) {
      if (error instanceof ChainRestError) return false
      throw error
    }
  }

  async function getVirtualChainFromBlock(startHash: string, options: VirtualChainFromBlockOptions = {}) {
    const url = `${shownUrl}/info/get-vscp-from-block?startHash=${startHash}`
    try {
      const changes = await operations.getVirtualChainFromBlock(startHash, options)
      if (!isEmpty(changes) || (await isOnChain(startHash, options))) return changes
      const moved = await operations.getVirtualChainFromBlock(startHash, { ...options, forceRefresh: true })
      if (!isEmpty(moved)) return moved
    } catch (error) {
      const mayBeUnknown = error instanceof ChainRestError && error.status === 500
      if (!mayBeUnknown || !(await isUnknown(startHash, options))) throw error
    }
    throw unknownBlock(url)
  }

  return { ...operations, getVirtualChainFromBlock }
}

const common = ({ signal, timeout }: ChainRestRequestOptions): ChainRestRequestOptions => ({ signal, timeout })

const isEmpty = ({ removedChainBlockHashes, addedChainBlockHashes }: ChainRestVirtualChainFromBlock): boolean =>
  removedChainBlockHashes.length + addedChainBlockHashes.length === 0

const unknownBlock = (url: string): ChainRestError =>
  new ChainRestError({
    code: 'http',
    status: 404,
    method: 'GET',
    url,
    reason: 'the node does not know the block',
    hint: 'The block was pruned or never existed: begin at a newer one.',
  })
