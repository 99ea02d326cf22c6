import type { ChainNetwork } from '../../model/network.js'
import type { Coin } from './steps/fund.js'

/** What the steps of a ledger take. Times are unix milliseconds, amounts sompi. */

export interface LedgerOptions {
  /** @default 'simnet' */
  readonly network?: ChainNetwork | undefined
  /** What stands in front of the extra data of each coinbase. @default '2.1.0' */
  readonly nodeVersion?: string | undefined
  /** Coins that exist at genesis, spendable at once: coin `i` (from 0) has the little-endian number `i + 1` as its transaction id. */
  readonly genesisCoins?: readonly Coin[] | undefined
  /** What is there at genesis for `fund` to pay from. @default 0n: `fund` then works by coinbase only */
  readonly faucet?: bigint | undefined
  /** A node in safe mode takes no orphans and estimates hash rates over at most 10,000 blocks. @default 'safe' */
  readonly rpcMode?: 'safe' | 'unsafe' | undefined
}

export interface MineOptions {
  /** A block's timestamp is this or just above the past median time, whichever is later. */
  readonly now: number
  /** How many steps. @default 1 */
  readonly count?: number | undefined
  /** Blocks side by side in each step. @default 1 */
  readonly parallel?: number | undefined
  /** Whom the coinbase pays. @default the faucet */
  readonly address?: string | undefined
  /** Hex, behind the node's version in the coinbase payload. */
  readonly extraData?: string | undefined
}

export interface FundOptions {
  readonly now: number
  /**
   * `transfer`: one block with one payment, spendable at once. `coinbase`: a block for each coin that earns the amount and one
   * more that pays it out, immature for 1,000 DAA. @default 'transfer'
   */
  readonly as?: 'transfer' | 'coinbase' | undefined
}

export interface ReorgOptions {
  readonly now: number
  /** How many of the newest chain blocks are replaced; the new branch is one longer, so that it wins. */
  readonly depth: number
  /** Transactions that the new branch leaves out. Nobody builds on the old branch then, so that they stay out. */
  readonly drop?: readonly string[] | undefined
}
