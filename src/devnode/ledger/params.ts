import type { ChainNetwork } from '../../model/network.js'

/** The numbers of a node of generation 2.x at ten blocks a second. Sources: the parameters of kaspad 2.1.0. */

/** How many blocks in its anticone a blue block may have. */
export const GHOSTDAG_K = 124
/** The most blocks that one block may merge, its selected parent counted. */
export const MERGESET_LIMIT = 248
export const MAX_PARENTS = 64
/** Blocks that are more blue score than this behind do not count for the DAA score. */
export const DAA_WINDOW = 26_440n
/** The past median time looks at one block in a hundred, at the newest 27 of these, and averages the middle 11. */
export const MEDIAN_SAMPLE_RATE = 100n
export const MEDIAN_WINDOW = 27
export const MEDIAN_FRAME = 11
/** How far ahead of the clock, in ms, a submitted block's timestamp may be. */
export const TIMESTAMP_TOLERANCE = 132_000n

/** The highest level that a block can reach; genesis is on it. */
export const MAX_BLOCK_LEVEL = 250

export const BLOCK_VERSION = 2
export const COINBASE_VERSION = 1
export const MAX_COINBASE_PAYLOAD = 204
export const MAX_COINBASE_SCRIPT = 150

export const MAX_SOMPI = 2_900_000_000_000_000_000n
export const BLOCKS_PER_SECOND = 10
/** The most lanes that the transactions of one block may be of. */
export const LANES_PER_BLOCK = 50
/** The most gas that the transactions of one lane may use in a block. */
export const GAS_PER_LANE = 1_000_000_000n
/** The DAA score for which an included transaction is remembered as accepted. */
export const INCLUDED_MEMORY = 1200n
/** How long, in ms, a block template stands although the mempool has changed. */
export const TEMPLATE_LIFETIME = 1000
/** Lock times below are DAA scores, others unix milliseconds. */
export const LOCK_TIME_THRESHOLD = 500_000_000_000n
/** The score of a coin that only the mempool has made: -1 in the node's arithmetic. */
export const UNACCEPTED_DAA_SCORE = 2n ** 64n - 1n

/** What a block earns beside fees, in sompi, in the first months of a network's life. */
export const SUBSIDIES: Readonly<Record<ChainNetwork, bigint>> = {
  mainnet: 4_400_000_000n,
  'testnet-10': 4_400_000_000n,
  'testnet-12': 4_400_000_000n,
  simnet: 5_000_000_000n,
  devnet: 4_400_000_000n,
}
