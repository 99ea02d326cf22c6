import type { NetworkParams, ChainNetwork } from '../../model/network.js'
import type { Transaction } from '../../model/transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type { NodeNotification, RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'

/** A coin that is there from the start, or that `fund` pays. */
export interface Coin {
  readonly address: string
  /** Sompi. */
  readonly amount: bigint
}

export interface LedgerOptions {
  /** @default 'simnet' */
  readonly network?: ChainNetwork | undefined
  /** What stands in front of the extra data of each coinbase. @default '2.1.0' */
  readonly nodeVersion?: string | undefined
  /** Coins that exist at genesis, spendable at once: coin `i` (from 0) has the little-endian number `i + 1` as its transaction id. */
  readonly genesisCoins?: readonly Coin[] | undefined
  /** Sompi at genesis for `fund` to pay from. @default 0n: `fund` then works with `coinbase` only */
  readonly faucet?: bigint | undefined
  /** A node in safe mode takes no orphans and estimates hash rates over at most 10,000 blocks. @default 'safe' */
  readonly rpcMode?: 'safe' | 'unsafe' | undefined
}

/** The calls whose answer lies in the ledger. */
export type LedgerMethod = Extract<
  RpcMethod,
  | 'getBlock'
  | 'getBlocks'
  | 'getBlockCount'
  | 'getBlockDagInfo'
  | 'getBlockRewardInfo'
  | 'getBlockTemplate'
  | 'getBalanceByAddress'
  | 'getBalancesByAddresses'
  | 'getCoinSupply'
  | 'getCurrentBlockColor'
  | 'getDaaScoreTimestampEstimate'
  | 'estimateNetworkHashesPerSecond'
  | 'getFeeEstimate'
  | 'getFeeEstimateExperimental'
  | 'getHeaders'
  | 'getMempoolEntries'
  | 'getMempoolEntriesByAddresses'
  | 'getMempoolEntry'
  | 'getSink'
  | 'getSinkBlueScore'
  | 'getSubnetwork'
  | 'getUtxoReturnAddress'
  | 'getUtxosByAddresses'
  | 'getVirtualChainFromBlock'
  | 'getVirtualChainFromBlockV2'
  | 'submitTransaction'
  | 'submitTransactionReplacement'
>

/** What the node answers: a record, or its refusal, in its own words. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly message: string }

/**
 * One step of the network and what listeners are told of it, in the node's order. `utxos-changed` holds the changes of all
 * addresses and `virtual-chain-changed` all accepted ids: whoever passes them on cuts them to the listener's scope.
 */
export interface Step<T> {
  readonly result: T
  readonly events: readonly NodeNotification[]
}

export interface MineOptions {
  /** Unix milliseconds; a block's timestamp is this or just above the past median time, whichever is later. */
  readonly now: number
  /** How many steps. @default 1 */
  readonly count?: number | undefined
  /** Blocks side by side in each step. @default 1 */
  readonly parallel?: number | undefined
  /** Whom the coinbase pays. @default the ledger's own faucet address */
  readonly address?: string | undefined
  /** Hex, behind the node's version in the coinbase payload. */
  readonly extraData?: string | undefined
}

export interface FundOptions {
  readonly now: number
  /** `transfer`: one block with a payment, spendable at once. `coinbase`: two blocks, the first earning the amount, immature for 1,000 DAA. @default 'transfer' */
  readonly as?: 'transfer' | 'coinbase' | undefined
}

export interface ReorgOptions {
  readonly now: number
  /** How many of the newest chain blocks are replaced; one more is added, so that the new branch wins. */
  readonly depth: number
  /** Transactions that the new branch leaves out: their coins are spent otherwise by it, so that they never come back. */
  readonly drop?: readonly string[] | undefined
}

/** What a perfect client would know. */
export interface Truth {
  /** The UTXO set that virtual sees; of all addresses where none are named. */
  utxos(addresses?: readonly string[]): readonly UtxoEntry[]
  /** What each chain block has accepted, from genesis to sink. */
  accepted(): readonly { readonly acceptingBlockHash: string; readonly acceptedTransactionIds: readonly string[] }[]
  /** Ids in the mempool, orphans aside. */
  mempool(): readonly string[]
  /** Chain blocks from genesis to sink. */
  chain(): readonly string[]
  virtualDaaScore(): bigint
}

/** A transaction with all that an indexer knows of it. */
export interface LedgerTransaction {
  readonly transaction: Transaction
  readonly transactionId: string
  readonly hash: string
  /** The blocks that include it, oldest first. */
  readonly blockHashes: readonly string[]
  /** The chain block that accepted it; undefined while only virtual has, or none. */
  readonly acceptingBlockHash: string | undefined
  /** The entries it spends, by input; empty for coinbase, undefined where unknown. */
  readonly spent: readonly (UtxoEntry | undefined)[]
}

/** What an indexer beside the node has kept. */
export interface History {
  transaction(transactionId: string): LedgerTransaction | undefined
  /** Ids of included transactions that spend from or pay to the address, newest first. */
  transactionIdsOf(address: string): readonly string[]
}

/**
 * A whole Kaspa network in memory: DAG, virtual, UTXO set, mempool. Pure and deterministic: equal steps give equal ledgers.
 * It knows no clock (time comes in), no socket and no randomness, and it is synchronous.
 */
export interface Ledger {
  readonly network: NetworkParams
  /** The answer to a call that changes no block; `now` is unix milliseconds. */
  answer<M extends LedgerMethod>(method: M, request: RpcRequest<M>, now: number): Answer<RpcResponse<M>>
  /** A miner's block, judged as the node judges it. */
  submitBlock(request: RpcRequest<'submitBlock'>, now: number): Step<RpcResponse<'submitBlock'>>
  /** Mines on the current tips, mempool included. Result: the new blocks' hashes. */
  mine(options: MineOptions): Step<readonly string[]>
  /** Pays coins into being. Result: the paying transaction. */
  fund(coins: readonly Coin[], options: FundOptions): Step<{ readonly transactionId: string }>
  /** Replaces the last chain blocks. Result: the chain blocks that went, newest first, and those that came, oldest first. */
  reorg(options: ReorgOptions): Step<{ readonly removed: readonly string[]; readonly added: readonly string[] }>
  /** Remembers the present state under a number. */
  snapshot(): number
  /** Goes back to a remembered state, exactly; listeners are told as of a reorg. Throws `ChainError` for an unknown number. */
  revert(snapshot: number): Step<undefined>
  readonly truth: Truth
  readonly history: History
}

/** A network at genesis. Throws `ChainError` (`invalid-argument`) for a coin that cannot be. */
export declare function createLedger(options?: LedgerOptions): Ledger
