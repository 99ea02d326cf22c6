import { invalidArgument } from '../../errors/chain-error.js'
import { hash, nonNegative, bool } from './arguments.js'
import { createOperations, type Arguments, type CallEndpoint, type Endpoints, verifySame } from './endpoint.js'
import { requireSyncedNode } from './info.js'
import { SETTLED, TIP } from '../requests/prepared-request.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestBlock, ChainRestBlockResponse } from '../records/blocks.js'

export interface GetRestBlockOptions extends ChainRestRequestOptions {
  /** @default true */
  readonly includeTransactions?: boolean | undefined
  /** Whether the block is blue or red, in `extra`. @default false */
  readonly includeColor?: boolean | undefined
}

export interface GetRestBlocksOptions extends ChainRestRequestOptions {
  /** The first block. */
  readonly lowHash: string
  /** Includes the blocks, not only their hashes. @default false */
  readonly includeBlocks?: boolean | undefined
  /** Requires `includeBlocks`. @default false */
  readonly includeTransactions?: boolean | undefined
}

/** Exactly one of the three scores. */
export interface BlocksFromBlueScoreOptions extends ChainRestRequestOptions {
  readonly blueScore?: number | undefined
  /** The lowest at or above this one that has blocks. */
  readonly blueScoreGte?: number | undefined
  /** The highest below this one that has blocks. */
  readonly blueScoreLt?: number | undefined
  /** @default false */
  readonly includeTransactions?: boolean | undefined
}

/** Blocks by hash and by blue score. */
export interface BlockOperations {
  /** A block from the node or, if pruned, from the database. Rejects with status 404 if unknown. */
  readonly getBlock: (hash: string, options?: GetRestBlockOptions) => Promise<ChainRestBlock>
  /**
   * About 250 blocks from `lowHash` on, inclusive. Both lists are empty if the node does not know the block. Rejects
   * with `network` if the server has no synced node, for which it sends empty lists too.
   */
  readonly getBlocks: (options: GetRestBlocksOptions) => Promise<ChainRestBlockResponse>
  /**
   * Every block of one blue score; none above the tip. Rejects with `network` for an empty list of a server without a
   * synced node.
   */
  readonly getBlocksFromBlueScore: (options: BlocksFromBlueScoreOptions) => Promise<ChainRestBlock[]>
}

export const blockEndpoints: Endpoints<BlockOperations> = {
  getBlock: {
    get: '/blocks/{hash}',
    query: { includeTransactions: bool, includeColor: bool },
    verify: ({ verboseData }, { hash: requested }) => verifySame(verboseData.hash, requested, 'block'),
    decoder: 'block',
    cache: SETTLED,
  },
  getBlocks: {
    get: '/blocks',
    query: { lowHash: hash, includeBlocks: bool, includeTransactions: bool },
    required: ['lowHash'],
    rule: blocksWithTransactions,
    verify: ({ blockHashes = [] }, { lowHash }) => verifySame(blockHashes[0], lowHash, 'block'),
    decoder: 'blockList',
    cache: TIP,
    slow: true,
  },
  getBlocksFromBlueScore: {
    get: '/blocks-from-bluescore',
    query: { blueScore: nonNegative, blueScoreGte: nonNegative, blueScoreLt: nonNegative, includeTransactions: bool },
    rule: exactlyOneScore,
    decoder: 'blocks',
    cache: TIP,
    slow: true,
    isSettled: (found) => found.length > 0,
  },
}

/** An empty list is the server's response without its node, too. */
export function createBlockOperations(call: CallEndpoint, shownUrl: string): BlockOperations {
  const operations = createOperations<BlockOperations>(call, blockEndpoints)
  /** Responses that came from a synced node; the cache returns the same objects. */
  const checked = new WeakSet()

  async function checkEmpty(response: object, path: string, options: ChainRestRequestOptions): Promise<void> {
    if (checked.has(response)) return
    await requireSyncedNode(call, shownUrl + path, options)
    checked.add(response)
  }

  return {
    ...operations,
    async getBlocks(options) {
      const found = await operations.getBlocks(options)
      if (!found.blockHashes?.length) await checkEmpty(found, '/blocks', options)
      return found
    },
    async getBlocksFromBlueScore(options) {
      const found = await operations.getBlocksFromBlueScore(options)
      if (found.length === 0) await checkEmpty(found, '/blocks-from-bluescore', options)
      return found
    },
  }
}

/** The server would return two empty lists. */
function blocksWithTransactions({ includeTransactions, includeBlocks }: Arguments): void {
  if (includeTransactions !== true || includeBlocks === true) return
  throw invalidArgument('includeBlocks', '"includeTransactions" needs "includeBlocks"')
}

function exactlyOneScore(args: Arguments): void {
  const given = ['blueScore', 'blueScoreGte', 'blueScoreLt'].filter((name) => args[name] !== undefined)
  if (given.length === 1) return
  throw invalidArgument(given[1] ?? 'blueScore', 'Exactly one of blueScore, blueScoreGte and blueScoreLt must be given')
}
