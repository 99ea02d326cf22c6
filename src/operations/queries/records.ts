import type { RpcTransactionInput, RpcTransactionOutput } from '../../node/messages/records.js'

/** The result of `getInfo`. */
export interface ServerInfo {
  /** Without it the node rejects queries for balances and UTXOs. */
  readonly isUtxoIndexEnabled: boolean
  readonly isSynced: boolean
  readonly hasNotifyCommand: boolean
  readonly hasMessageId: boolean
  readonly serverVersion: string
  /** `mainnet`, `testnet-10`, … */
  readonly networkId: string
}

export interface BalanceResult {
  readonly address: string
  /** Sompi; 0n for an address that was never used. */
  readonly balance: bigint
}

export interface MempoolEntry {
  /** Sompi. */
  readonly fee: bigint
  /** Whether it spends an output that the node does not know. */
  readonly isOrphan: boolean
  readonly transaction: {
    readonly id: string
    readonly inputs: RpcTransactionInput[]
    readonly outputs: RpcTransactionOutput[]
  }
}

export interface FeeBucket {
  /** Sompi per gram of mass. */
  readonly feerate: number
  /** Estimated time to inclusion, seconds. */
  readonly estimatedSeconds: number
}

export interface FeeEstimate {
  /** The feerate for the fastest inclusion. */
  readonly priorityBucket: FeeBucket
  readonly normalBuckets: FeeBucket[]
  /** The last one is the minimum of the node. */
  readonly lowBuckets: FeeBucket[]
}

export interface GetBlocksOptions {
  /** The first block of the response. @default genesis */
  readonly lowHash?: string | undefined
  /** @default false */
  readonly includeBlocks?: boolean | undefined
  /** Needs `includeBlocks`. @default false */
  readonly includeTransactions?: boolean | undefined
}
