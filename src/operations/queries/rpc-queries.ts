import type { BlockInfo } from '../../model/block-info.js'
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
import type { CallOptions } from './call.js'
import type { BalanceResult, FeeEstimate, GetBlocksOptions, MempoolEntry, ServerInfo } from './records.js'

/**
 * What can be asked of a node. Arguments are checked before anything is sent. Every member rejects with `ChainRpcError`:
 * `invalid-argument` with `argument` set, `remote` with the node's words in `cause.message`, `unsupported` where the node's
 * version does not know the method, or what befell the connection.
 */
export interface RpcQueries {
  /** Whether the connection still answers. */
  readonly ping: (options?: CallOptions) => Promise<void>

  // The node
  /** Joined from the two calls that hold its fields. */
  readonly getInfo: (options?: CallOptions) => Promise<ServerInfo>
  /** Version, network, sync and index, as every node since 0.13 tells them. */
  readonly getServerInfo: (options?: CallOptions) => Promise<RpcResponse<'getServerInfo'>>
  readonly getSyncStatus: (options?: CallOptions) => Promise<{ readonly isSynced: boolean }>
  /** `mainnet`, `testnet`, `devnet` or `simnet`; which testnet, `getServerInfo` says. */
  readonly getCurrentNetwork: (options?: CallOptions) => Promise<string>
  readonly getConnectedPeerInfo: (options?: CallOptions) => Promise<ConnectedPeerInfo[]>
  /** A node bans an IP address, whatever the port. */
  readonly getPeerAddresses: (
    options?: CallOptions,
  ) => Promise<{ readonly banned: PeerAddress[]; readonly known: Required<PeerAddress>[] }>
  readonly getMetrics: (options?: CallOptions) => Promise<RpcResponse<'getMetrics'>>
  readonly getSystemInfo: (options?: CallOptions) => Promise<RpcResponse<'getSystemInfo'>>
  readonly getConnections: (options?: CallOptions) => Promise<RpcResponse<'getConnections'>>
  /** Needs a node that runs with `--unsaferpc`. */
  readonly addPeer: (peerAddress: string, isPermanent?: boolean, options?: CallOptions) => Promise<void>
  /** Needs a node that runs with `--unsaferpc`; so does `unban`. */
  readonly ban: (ip: string, options?: CallOptions) => Promise<void>
  readonly unban: (ip: string, options?: CallOptions) => Promise<void>
  /** Ends the node. Needs one that runs with `--unsaferpc`. */
  readonly shutdown: (options?: CallOptions) => Promise<void>

  // Blocks
  /** Rejects with `remote` where the node does not know the block. */
  readonly getBlock: (hash: string, options?: CallOptions) => Promise<BlockInfo>
  readonly getBlocks: (options?: GetBlocksOptions & CallOptions) => Promise<RpcResponse<'getBlocks'>>
  readonly getBlockCount: (
    options?: CallOptions,
  ) => Promise<{ readonly blockCount: bigint; readonly headerCount: bigint }>
  readonly getBlockDagInfo: (options?: CallOptions) => Promise<BlockDagInfo>
  /** No node has ever answered it: they say `Not implemented`. */
  readonly getHeaders: (
    startHash: string,
    limit: number,
    isAscending: boolean,
    options?: CallOptions,
  ) => Promise<RpcResponse<'getHeaders'>>
  readonly getSink: (options?: CallOptions) => Promise<{ readonly sink: string }>
  readonly getSinkBlueScore: (options?: CallOptions) => Promise<{ readonly sinkBlueScore: bigint }>
  /** A page of the virtual chain after `startHash`; ask again from the last hash added. */
  readonly getVirtualChainFromBlock: (
    startHash: string,
    includeAcceptedTransactionIds: boolean,
    options?: CallOptions,
  ) => Promise<VirtualChainResult>
  /** The same with what each chain block accepted, as full as `dataVerbosityLevel` demands. Nodes of 1.1 and later. */
  readonly getVirtualChainFromBlockV2: (
    startHash: string,
    options?: VirtualChainV2Options & CallOptions,
  ) => Promise<RpcResponse<'getVirtualChainFromBlockV2'>>
  /** Whether it was merged blue. Rejects with `remote` where no chain block has merged it. */
  readonly getCurrentBlockColor: (hash: string, options?: CallOptions) => Promise<{ readonly blue: boolean }>
  /** Unix milliseconds, as the node estimates them. */
  readonly getDaaScoreTimestampEstimate: (daaScores: readonly bigint[], options?: CallOptions) => Promise<number[]>
  /** Over the last `windowSize` blocks, 1,000 at least, up to `tipHash` or to the newest. */
  readonly estimateNetworkHashesPerSecond: (
    windowSize: number,
    tipHash?: string,
    options?: CallOptions,
  ) => Promise<{ readonly networkHashesPerSecond: bigint }>
  /** `extraData`: hex, for the coinbase's payload. */
  readonly getBlockTemplate: (
    payAddress: string,
    extraData?: string,
    options?: CallOptions,
  ) => Promise<RpcResponse<'getBlockTemplate'>>
  /** A block that the node will not have is a report of type `reject`, not an error. */
  readonly submitBlock: (
    block: RpcRawBlock,
    allowNonDaaBlocks?: boolean,
    options?: CallOptions,
  ) => Promise<RpcResponse<'submitBlock'>>
  readonly resolveFinalityConflict: (finalityBlockHash: string, options?: CallOptions) => Promise<void>

  // Coins
  /** Sompi of all unspent outputs, unripe rewards included; the mempool is not counted. */
  readonly getBalanceByAddress: (address: string, options?: CallOptions) => Promise<BalanceResult>
  /** In the order asked, duplicates kept. */
  readonly getBalancesByAddresses: (addresses: readonly string[], options?: CallOptions) => Promise<BalanceResult[]>
  /** In no particular order. */
  readonly getUtxosByAddresses: (addresses: readonly string[], options?: CallOptions) => Promise<UtxoEntry[]>
  /** The address of the first input's coin. Nodes of 0.16.1 and later. */
  readonly getUtxoReturnAddress: (
    transactionId: string,
    acceptingDaaScore: bigint,
    options?: CallOptions,
  ) => Promise<string>
  readonly getCoinSupply: (
    options?: CallOptions,
  ) => Promise<{ readonly circulatingCoinSupply: bigint; readonly maxCoinSupply: bigint }>

  // Transactions
  /** Orphans too. Rejects with `remote` where the mempool does not hold it. */
  readonly getMempoolEntry: (transactionId: string, options?: CallOptions) => Promise<MempoolEntry>
  /** All of the mempool; orphans too where `includeOrphanPool` is true. */
  readonly getMempoolEntries: (includeOrphanPool?: boolean, options?: CallOptions) => Promise<MempoolEntry[]>
  readonly getMempoolEntriesByAddresses: (
    addresses: readonly string[],
    options?: CallOptions,
  ) => Promise<MempoolEntriesOfAddress[]>
  /** Fee rates in sompi per gram, for `feeRate`, each with the seconds it may take. */
  readonly getFeeEstimate: (options?: CallOptions) => Promise<FeeEstimate>
  /** Resolves to the transaction's id. Takes what `PendingTx.serialize()` gives as well. */
  readonly submitTransaction: (
    transaction: TransactionLike,
    allowOrphan?: boolean,
    options?: CallOptions,
  ) => Promise<string>
  /** Takes the place of a mempool transaction that spends one of the same coins at a lower fee rate. */
  readonly submitTransactionReplacement: (transaction: TransactionLike, options?: CallOptions) => Promise<string>
  /** No node has ever answered it: they say `Not implemented`. */
  readonly getSubnetwork: (subnetworkId: string, options?: CallOptions) => Promise<RpcResponse<'getSubnetwork'>>
}

export interface VirtualChainV2Options {
  /** @default 'Full' */
  readonly dataVerbosityLevel?: DataVerbosity | undefined
  /** Leaves out the chain blocks that fewer blue blocks confirm. */
  readonly minConfirmationCount?: bigint | undefined
}

export interface MempoolEntriesOfAddress {
  readonly address: string
  readonly sending: MempoolEntry[]
  readonly receiving: MempoolEntry[]
}
