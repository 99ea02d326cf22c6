import type { ChainNetwork } from '../../model/network.js'
import type { RefusedScript } from './mempool/refusals.js'
import type { Utxo } from './steps/fund.js'

/** Options of ledger methods. Times are unix milliseconds, amounts sompi. */

export interface LedgerOptions {
  /** @default 'simnet' */
  readonly network?: ChainNetwork | undefined
  /** Prefix of the extra data of each coinbase. @default '2.1.0' */
  readonly nodeVersion?: string | undefined
  /** Mature UTXOs at genesis. The transaction id of UTXO `i` (from 0) is the little-endian number `i + 1`. */
  readonly genesisUtxos?: readonly Utxo[] | undefined
  /** Genesis balance that `fund` pays from. @default 0n: `fund` then works by coinbase only */
  readonly faucet?: bigint | undefined
  /** In safe mode, a node rejects orphans and estimates hash rates over at most 10,000 blocks. @default 'safe' */
  readonly rpcMode?: 'safe' | 'unsafe' | undefined
  /** Called for each submitted transaction whose script fails. */
  readonly onRefused?: ((refused: RefusedScript) => void) | undefined
}

export interface MineOptions {
  /** A block's timestamp is this or just above the past median time, whichever is later. */
  readonly now: number
  /** Number of rounds. @default 1 */
  readonly count?: number | undefined
  /** Parallel blocks in each round. @default 1 */
  readonly parallel?: number | undefined
  /** Recipient of the coinbase. @default the faucet */
  readonly address?: string | undefined
  /** The script (version 0, hex) that the coinbase pays to in place of an address. */
  readonly script?: string | undefined
  /** Hex, appended to the node's version in the coinbase payload. */
  readonly extraData?: string | undefined
}

export interface FundOptions {
  readonly now: number
  /**
   * `transfer`: one block with one payment, mature at once. `coinbase`: one block with that subsidy for each UTXO and
   * one more that pays out the last, immature for 1,000 DAA. @default 'transfer'
   */
  readonly as?: 'transfer' | 'coinbase' | undefined
}

export interface SyncOptions {
  /** The maximum number of blocks, in the order in which the peer got them. @default all */
  readonly blocks?: number | undefined
  /** Takes headers without bodies, as a node in IBD does first: the chain stays as it is. @default false */
  readonly headersOnly?: boolean | undefined
}

export interface PruneOptions {
  /** The number of chain blocks that are kept below the sink; the last of them becomes the pruning point. */
  readonly depth: number
  /** The number of blocks below the pruning point whose headers are kept. @default 0 */
  readonly headers?: number | undefined
}

export interface ReorgOptions {
  readonly now: number
  /** The number of newest chain blocks to replace. The new branch is longer. */
  readonly depth: number
  /**
   * Ids of transactions that the new branch omits. The old branch is then abandoned, so that no later block merges
   * them.
   */
  readonly drop?: readonly string[] | undefined
  /** Ids of transactions whose UTXOs other transactions of the new branch spend. */
  readonly doubleSpend?: readonly string[] | undefined
}
