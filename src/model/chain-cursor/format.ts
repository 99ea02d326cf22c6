import type { ChainNetwork } from '../network.js'

/** The format of a cursor; its first byte. */
export const VERSION = 1

/** The second byte. A number is never used again for another network. */
export const NETWORK_BYTES: Readonly<Record<ChainNetwork, number>> = {
  mainnet: 0,
  'testnet-10': 1,
  'testnet-12': 2,
  simnet: 3,
  devnet: 4,
}

/** Version, network, length of the blue work, number of blocks; each block's hash and score; starts; the checksum. */
export const HEAD = 4
export const HASH = 32
export const BLOCK = HASH + 8
export const CHECKSUM = 4
