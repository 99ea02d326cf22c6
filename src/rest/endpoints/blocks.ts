import { invalidArgument } from '../../errors/chain-error.js'
import { hash, whole, yesOrNo } from './arguments.js'
import type { Arguments, Endpoints } from './endpoint.js'
import { SETTLED, TIP } from '../asking/keep.js'
import type { ChainRestRequestOptions } from '../options.js'
import type { ChainRestBlock, ChainRestBlockResponse } from '../records/blocks.js'

export interface GetRestBlockOptions extends ChainRestRequestOptions {
  /** @default true */
  readonly includeTransactions?: boolean | undefined
  /** Whether the block is blue or red, in `extra`. @default false */
  readonly includeColor?: boolean | undefined
}

export interface GetRestBlocksOptions extends ChainRestRequestOptions {
  /** The block to begin with. */
  readonly lowHash: string
  /** The blocks themselves, beside their hashes. @default false */
  readonly includeBlocks?: boolean | undefined
  /** Needs `includeBlocks`. @default false */
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
  /** A block, from the node or, where that has pruned it, from the database. Rejects with status 404 where it is unknown. */
  readonly getBlock: (hash: string, options?: GetRestBlockOptions) => Promise<ChainRestBlock>
  /**
   * Some 250 blocks from `lowHash` on, itself the first. Both lists empty: the node knows no such block, or could not
   * be asked; the server does not say which.
   */
  readonly getBlocks: (options: GetRestBlocksOptions) => Promise<ChainRestBlockResponse>
  /** Every block of one blue score. */
  readonly getBlocksFromBlueScore: (options: BlocksFromBlueScoreOptions) => Promise<ChainRestBlock[]>
}

export const blockEndpoints: Endpoints<BlockOperations> = {
  getBlock: {
    get: '/blocks/{hash}',
    query: { includeTransactions: yesOrNo, includeColor: yesOrNo },
    reads: 'block',
    keep: SETTLED,
  },
  getBlocks: {
    get: '/blocks',
    query: { lowHash: hash, includeBlocks: yesOrNo, includeTransactions: yesOrNo },
    needs: ['lowHash'],
    rule: blocksWithTransactions,
    reads: 'blockList',
    keep: TIP,
    slow: true,
  },
  getBlocksFromBlueScore: {
    get: '/blocks-from-bluescore',
    query: { blueScore: whole, blueScoreGte: whole, blueScoreLt: whole, includeTransactions: yesOrNo },
    rule: exactlyOneScore,
    reads: 'blocks',
    keep: TIP,
    slow: true,
    isSettled: (found) => found.length > 0,
  },
}

/** The server would answer with two empty lists. */
function blocksWithTransactions({ includeTransactions, includeBlocks }: Arguments): void {
  if (includeTransactions !== true || includeBlocks === true) return
  throw invalidArgument('includeBlocks', '"includeTransactions" needs "includeBlocks"')
}

function exactlyOneScore(args: Arguments): void {
  const given = ['blueScore', 'blueScoreGte', 'blueScoreLt'].filter((name) => args[name] !== undefined)
  if (given.length === 1) return
  throw invalidArgument(given[1] ?? 'blueScore', 'Exactly one of blueScore, blueScoreGte and blueScoreLt must be given')
}
