import type { BlockInfo } from '../../model/block.js'
import type { TransactionLike } from '../../model/serialized-transaction.js'
import type { UtxoEntry } from '../../model/utxo.js'
import type {
  BlockDagInfo,
  ConnectedPeerInfo,
  DataVerbosity,
  PeerAddress,
  RpcRawBlock,
  RpcResponse,
  VirtualChainResult,
} from '../../node/messages/records.js'
import type { AbortOptions } from '../../errors/abort-options.js'
import type { BalanceResult, FeeEstimate, GetBlocksOptions, MempoolEntry, ServerInfo } from './records.js'

/**
 * Queries of a node. Arguments are validated before anything is sent. Every query rejects with `ChainRpcError`:
 * `invalid-argument` with `argument` set, `remote` with the node's message in `cause.message`, `unsupported` where the
 * node's version lacks the method, or the code of a connection failure.
 */
export interface RpcQueries {
  /** Checks that the node responds. */
  readonly ping: (options?: AbortOptions) => Promise<void>

  // The node
  /** Combines the node's `getServerInfo` and `getInfo`. */
  readonly getInfo: (options?: AbortOptions) => Promise<ServerInfo>
  /** Version, network, sync state and UTXO index; nodes of 0.13 and later. */
  readonly getServerInfo: (options?: AbortOptions) => Promise<RpcResponse<'getServerInfo'>>
  readonly getSyncStatus: (options?: AbortOptions) => Promise<{ readonly isSynced: boolean }>
  /** `mainnet`, `testnet`, `devnet` or `simnet`; `getServerInfo` has the testnet's number. */
  readonly getCurrentNetwork: (options?: AbortOptions) => Promise<string>
  readonly getConnectedPeerInfo: (options?: AbortOptions) => Promise<ConnectedPeerInfo[]>
  /** Bans apply to an IP address, on all ports. */
  readonly getPeerAddresses: (
    options?: AbortOptions,
  ) => Promise<{ readonly banned: PeerAddress[]; readonly known: Required<PeerAddress>[] }>
  readonly getMetrics: (options?: AbortOptions) => Promise<RpcResponse<'getMetrics'>>
  readonly getSystemInfo: (options?: AbortOptions) => Promise<RpcResponse<'getSystemInfo'>>
  readonly getConnections: (options?: AbortOptions) => Promise<RpcResponse<'getConnections'>>
  /** Needs a node that runs with `--unsaferpc`. */
  readonly addPeer: (peerAddress: string, isPermanent?: boolean, options?: AbortOptions) => Promise<void>
  /** Needs a node that runs with `--unsaferpc`; so does `unban`. */
  readonly ban: (ip: string, options?: AbortOptions) => Promise<void>
  readonly unban: (ip: string, options?: AbortOptions) => Promise<void>
  /** Shuts the node down. Needs a node that runs with `--unsaferpc`. */
  readonly shutdown: (options?: AbortOptions) => Promise<void>

  // Blocks
  /** Rejects with `remote` where the node does not know the block. */
  readonly getBlock: (hash: string, options?: AbortOptions) => Promise<BlockInfo>
  readonly getBlocks: (options?: GetBlocksOptions & AbortOptions) => Promise<RpcResponse<'getBlocks'>>
  readonly getBlockCount: (
    options?: AbortOptions,
  ) => Promise<{ readonly blockCount: bigint; readonly headerCount: bigint }>
  readonly getBlockDagInfo: (options?: AbortOptions) => Promise<BlockDagInfo>
  /** Not implemented by any node: rejects with `remote`, `Not implemented`. */
  readonly getHeaders: (
    startHash: string,
    limit: number,
    isAscending: boolean,
    options?: AbortOptions,
  ) => Promise<RpcResponse<'getHeaders'>>
  readonly getSink: (options?: AbortOptions) => Promise<{ readonly sink: string }>
  readonly getSinkBlueScore: (options?: AbortOptions) => Promise<{ readonly sinkBlueScore: bigint }>
  /** A page of the virtual chain after `startHash`; continue with the last hash added. */
  readonly getVirtualChainFromBlock: (
    startHash: string,
    includeAcceptedTransactionIds: boolean,
    options?: AbortOptions,
  ) => Promise<VirtualChainResult>
  /**
   * With the accepted transactions of each chain block, in the detail of `dataVerbosityLevel`. Nodes of 1.1 and later.
   */
  readonly getVirtualChainFromBlockV2: (
    startHash: string,
    options?: VirtualChainV2Options & AbortOptions,
  ) => Promise<RpcResponse<'getVirtualChainFromBlockV2'>>
  /** Whether the block is blue. Rejects with `remote` where no chain block has merged it. */
  readonly getCurrentBlockColor: (hash: string, options?: AbortOptions) => Promise<{ readonly blue: boolean }>
  /** Estimated Unix milliseconds. */
  readonly getDaaScoreTimestampEstimate: (daaScores: readonly bigint[], options?: AbortOptions) => Promise<number[]>
  /** Over `windowSize` blocks (at least 1,000) up to `tipHash`, by default the newest block. */
  readonly estimateNetworkHashesPerSecond: (
    windowSize: number,
    tipHash?: string,
    options?: AbortOptions,
  ) => Promise<{ readonly networkHashesPerSecond: bigint }>
  /** `extraData`: hex, part of the coinbase payload. */
  readonly getBlockTemplate: (
    payAddress: string,
    extraData?: string,
    options?: AbortOptions,
  ) => Promise<RpcResponse<'getBlockTemplate'>>
  /** A rejected block resolves to a report of type `reject`. */
  readonly submitBlock: (
    block: RpcRawBlock,
    allowNonDaaBlocks?: boolean,
    options?: AbortOptions,
  ) => Promise<RpcResponse<'submitBlock'>>
  readonly resolveFinalityConflict: (finalityBlockHash: string, options?: AbortOptions) => Promise<void>

  // UTXOs
  /** Sompi of all unspent outputs, immature coinbase outputs included, the mempool excluded. */
  readonly getBalanceByAddress: (address: string, options?: AbortOptions) => Promise<BalanceResult>
  /** In the order of `addresses`, duplicates kept. */
  readonly getBalancesByAddresses: (addresses: readonly string[], options?: AbortOptions) => Promise<BalanceResult[]>
  /**
   * In undefined order. What a node reports beyond the requested addresses, with an amount that cannot exist, or twice
   * is left out, and reported to the logger.
   */
  readonly getUtxosByAddresses: (addresses: readonly string[], options?: AbortOptions) => Promise<UtxoEntry[]>
  /**
   * The entries of some outpoints in their order, null for what is no UTXO or has another script. One call: nodes
   * index UTXOs by address, so that the script of each is needed, and the response has all entries of its address.
   * Rejects with `invalid-argument` for a script without address.
   */
  readonly getUtxosByOutpoints: (
    outputs: readonly Pick<UtxoEntry, 'outpoint' | 'scriptPublicKey'>[],
    options?: AbortOptions,
  ) => Promise<(UtxoEntry | null)[]>
  /** The address of the output that the first input spends. Nodes of 0.16.1 and later. */
  readonly getUtxoReturnAddress: (
    transactionId: string,
    acceptingDaaScore: bigint,
    options?: AbortOptions,
  ) => Promise<string>
  readonly getCoinSupply: (
    options?: AbortOptions,
  ) => Promise<{ readonly circulatingCoinSupply: bigint; readonly maxCoinSupply: bigint }>

  // Transactions
  /** Includes orphans. Rejects with `remote` where it is not in the mempool. */
  readonly getMempoolEntry: (transactionId: string, options?: AbortOptions) => Promise<MempoolEntry>
  /** The whole mempool, with orphans where `includeOrphanPool` is true. */
  readonly getMempoolEntries: (includeOrphanPool?: boolean, options?: AbortOptions) => Promise<MempoolEntry[]>
  readonly getMempoolEntriesByAddresses: (
    addresses: readonly string[],
    options?: AbortOptions,
  ) => Promise<MempoolEntriesOfAddress[]>
  /** Feerates in sompi per gram, for the `feeRate` of a payment, with the estimated seconds to inclusion. */
  readonly getFeeEstimate: (options?: AbortOptions) => Promise<FeeEstimate>
  /**
   * Resolves to the transaction's id, also where the network already has it. Rejects with a `reason` where the node
   * rejects it, and with `invalid-argument` before it is sent where every node would. Accepts the result of
   * `PendingTx.serialize()` too.
   */
  readonly submitTransaction: (
    transaction: TransactionLike,
    allowOrphan?: boolean,
    options?: AbortOptions,
  ) => Promise<string>
  /**
   * Replaces a mempool transaction that spends one of the same UTXOs at a lower feerate (RBF). As `submitTransaction`.
   */
  readonly submitTransactionReplacement: (transaction: TransactionLike, options?: AbortOptions) => Promise<string>
  /** Not implemented by any node: rejects with `remote`, `Not implemented`. */
  readonly getSubnetwork: (subnetworkId: string, options?: AbortOptions) => Promise<RpcResponse<'getSubnetwork'>>
}

export interface VirtualChainV2Options {
  /** @default 'Full' */
  readonly dataVerbosityLevel?: DataVerbosity | undefined
  /** Excludes chain blocks with fewer confirmations, in blue score. */
  readonly minConfirmationCount?: bigint | undefined
}

export interface MempoolEntriesOfAddress {
  readonly address: string
  readonly sending: MempoolEntry[]
  readonly receiving: MempoolEntry[]
}
