import type { RpcTransactionInput, RpcTransactionOutput } from '../../node/messages/records.js'

/** What `getInfo` tells of the node at the other end. */
export interface ServerInfo {
  /** Without it, nobody can ask the node for balances or UTXOs. */
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

/** A transaction that waits to be included in a block. */
export interface MempoolEntry {
  /** Sompi. */
  readonly fee: bigint
  /** Whether it spends what the node does not know. */
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
  /** How long a transaction of that rate will probably wait, seconds. */
  readonly estimatedSeconds: number
}

export interface FeeEstimate {
  /** The rate that is included soonest. */
  readonly priorityBucket: FeeBucket
  readonly normalBuckets: FeeBucket[]
  /** The last of them is what the node asks at least. */
  readonly lowBuckets: FeeBucket[]
}

export interface GetBlocksOptions {
  /** Where to begin; genesis without it. The answer begins with this block. */
  readonly lowHash?: string | undefined
  /** @default false */
  readonly includeBlocks?: boolean | undefined
  /** Needs `includeBlocks`. @default false */
  readonly includeTransactions?: boolean | undefined
}
