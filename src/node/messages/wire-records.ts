/** Written by `npm run records` from the table of messages. u64 is `bigint`, an absent option `undefined`. */

/* eslint-disable @typescript-eslint/no-empty-object-type -- records without fields */

import type { ScriptPublicKey } from '../../model/utxo.js'

/** A block header. */
export interface RpcHeader {
  readonly hash: string
  readonly version: number
  readonly parentsByLevel: readonly (readonly string[])[]
  readonly hashMerkleRoot: string
  readonly acceptedIdMerkleRoot: string
  readonly utxoCommitment: string
  readonly timestamp: bigint
  readonly bits: number
  readonly nonce: bigint
  readonly daaScore: bigint
  readonly blueWork: string
  readonly blueScore: bigint
  readonly pruningPoint: string
}

/** A header without its hash, as mined and submitted. */
export interface RpcRawHeader {
  readonly version: number
  readonly parentsByLevel: readonly (readonly string[])[]
  readonly hashMerkleRoot: string
  readonly acceptedIdMerkleRoot: string
  readonly utxoCommitment: string
  readonly timestamp: bigint
  readonly bits: number
  readonly nonce: bigint
  readonly daaScore: bigint
  readonly blueWork: string
  readonly blueScore: bigint
  readonly pruningPoint: string
}

/** A block. Its verbose data is what the node knows of it. */
export interface RpcBlock {
  readonly header: RpcHeader
  readonly transactions: readonly RpcTransaction[]
  readonly verboseData?:
    | {
        readonly hash: string
        readonly difficulty: number
        readonly selectedParentHash: string
        readonly transactionIds: readonly string[]
        readonly isHeaderOnly: boolean
        readonly blueScore: bigint
        readonly childrenHashes: readonly string[]
        readonly mergeSetBluesHashes: readonly string[]
        readonly mergeSetRedsHashes: readonly string[]
        readonly isChainBlock: boolean
      }
    | undefined
}

/** A block without verbose data, as mined and submitted. */
export interface RpcRawBlock {
  readonly header: RpcRawHeader
  readonly transactions: readonly RpcTransaction[]
}

/** A transaction of a block or of the mempool. */
export interface RpcTransaction {
  readonly version: number
  readonly inputs: readonly RpcTransactionInput[]
  readonly outputs: readonly RpcTransactionOutput[]
  readonly lockTime: bigint
  readonly subnetworkId: string
  readonly gas: bigint
  readonly payload: string
  readonly mass: bigint
  readonly verboseData?:
    | {
        readonly transactionId: string
        readonly hash: string
        readonly computeMass: bigint
        readonly blockHash: string
        readonly blockTime: bigint
      }
    | undefined
}

/** An input of a transaction. */
export interface RpcTransactionInput {
  readonly previousOutpoint: {
    readonly transactionId: string
    readonly index: number
  }
  readonly signatureScript: string
  readonly sequence: bigint
  readonly sigOpCount: number
  readonly verboseData?: {} | undefined
  readonly computeBudget?: number | undefined
}

/** An output of a transaction. */
export interface RpcTransactionOutput {
  readonly value: bigint
  readonly scriptPublicKey: ScriptPublicKey
  readonly verboseData?:
    | {
        readonly scriptPublicKeyType: 'NonStandard' | 'PubKey' | 'PubKeyECDSA' | 'ScriptHash'
        readonly scriptPublicKeyAddress: string
      }
    | undefined
  readonly covenant?:
    | {
        readonly authorizingInput: number
        readonly covenantId: string
      }
    | undefined
}

/** A transaction in the mempool. */
export interface RpcMempoolEntry {
  readonly fee: bigint
  readonly transaction: RpcTransaction
  readonly isOrphan: boolean
}

/** A chain block of `getVirtualChainFromBlockV2` with its accepted transactions. */
export interface RpcAcceptingBlock {
  readonly chainBlockHeader: {
    readonly hash?: string | undefined
    readonly version?: number | undefined
    readonly parentsByLevel?: readonly (readonly string[])[] | undefined
    readonly hashMerkleRoot?: string | undefined
    readonly acceptedIdMerkleRoot?: string | undefined
    readonly utxoCommitment?: string | undefined
    readonly timestamp?: bigint | undefined
    readonly bits?: number | undefined
    readonly nonce?: bigint | undefined
    readonly daaScore?: bigint | undefined
    readonly blueWork?: string | undefined
    readonly blueScore?: bigint | undefined
    readonly pruningPoint?: string | undefined
  }
  readonly acceptedTransactions: readonly {
    readonly version?: number | undefined
    readonly inputs: readonly {
      readonly previousOutpoint?:
        | {
            readonly transactionId?: string | undefined
            readonly index?: number | undefined
          }
        | undefined
      readonly signatureScript?: string | undefined
      readonly sequence?: bigint | undefined
      readonly sigOpCount?: number | undefined
      readonly verboseData?:
        | {
            readonly utxoEntry?:
              | {
                  readonly amount?: bigint | undefined
                  readonly scriptPublicKey?: ScriptPublicKey | undefined
                  readonly blockDaaScore?: bigint | undefined
                  readonly isCoinbase?: boolean | undefined
                  readonly verboseData?:
                    | {
                        readonly scriptPublicKeyType?:
                          | 'NonStandard'
                          | 'PubKey'
                          | 'PubKeyECDSA'
                          | 'ScriptHash'
                          | undefined
                        readonly scriptPublicKeyAddress?: string | undefined
                      }
                    | undefined
                  readonly covenantId?: string | undefined
                }
              | undefined
          }
        | undefined
      readonly computeBudget?: number | undefined
    }[]
    readonly outputs: readonly {
      readonly value?: bigint | undefined
      readonly scriptPublicKey?: ScriptPublicKey | undefined
      readonly verboseData?:
        | {
            readonly scriptPublicKeyType?: 'NonStandard' | 'PubKey' | 'PubKeyECDSA' | 'ScriptHash' | undefined
            readonly scriptPublicKeyAddress?: string | undefined
          }
        | undefined
      readonly covenant?:
        | {
            readonly authorizingInput: number
            readonly covenantId: string
          }
        | undefined
    }[]
    readonly lockTime?: bigint | undefined
    readonly subnetworkId?: string | undefined
    readonly gas?: bigint | undefined
    readonly payload?: string | undefined
    readonly mass?: bigint | undefined
    readonly verboseData?:
      | {
          readonly transactionId?: string | undefined
          readonly hash?: string | undefined
          readonly computeMass?: bigint | undefined
          readonly blockHash?: string | undefined
          readonly blockTime?: bigint | undefined
        }
      | undefined
  }[]
}

/** A peer that the node is connected to. */
export interface ConnectedPeerInfo {
  readonly id: string
  readonly address: {
    readonly ip: string
    readonly port: number
  }
  readonly lastPingDuration: bigint
  readonly isOutbound: boolean
  readonly timeOffset: bigint
  readonly userAgent: string
  readonly advertisedProtocolVersion: number
  readonly timeConnected: bigint
  readonly isIbdPeer: boolean
}

/** The verbosity of `getVirtualChainFromBlockV2`. */
export type DataVerbosity = 'None' | 'Low' | 'High' | 'Full'

/** The request of each method. */
export interface RpcRequestMap {
  readonly subscribe: {
    readonly scope:
      | {
          readonly type: 'block-added'
        }
      | {
          readonly type: 'virtual-chain-changed'
          readonly includeAcceptedTransactionIds: boolean
        }
      | {
          readonly type: 'finality-conflict'
        }
      | {
          readonly type: 'finality-conflict-resolved'
        }
      | {
          readonly type: 'utxos-changed'
          readonly addresses: readonly string[]
        }
      | {
          readonly type: 'sink-blue-score-changed'
        }
      | {
          readonly type: 'virtual-daa-score-changed'
        }
      | {
          readonly type: 'pruning-point-utxo-set-override'
        }
      | {
          readonly type: 'new-block-template'
        }
  }
  readonly unsubscribe: {
    readonly scope:
      | {
          readonly type: 'block-added'
        }
      | {
          readonly type: 'virtual-chain-changed'
          readonly includeAcceptedTransactionIds: boolean
        }
      | {
          readonly type: 'finality-conflict'
        }
      | {
          readonly type: 'finality-conflict-resolved'
        }
      | {
          readonly type: 'utxos-changed'
          readonly addresses: readonly string[]
        }
      | {
          readonly type: 'sink-blue-score-changed'
        }
      | {
          readonly type: 'virtual-daa-score-changed'
        }
      | {
          readonly type: 'pruning-point-utxo-set-override'
        }
      | {
          readonly type: 'new-block-template'
        }
  }
  readonly ping: {}
  readonly getServerInfo: {}
  readonly getInfo: {}
  readonly getSyncStatus: {}
  readonly getCurrentNetwork: {}
  readonly getMetrics: {
    readonly processMetrics: boolean
    readonly connectionMetrics: boolean
    readonly bandwidthMetrics: boolean
    readonly consensusMetrics: boolean
    readonly storageMetrics: boolean
    readonly customMetrics: boolean
  }
  readonly getSystemInfo: {}
  readonly getConnections: {
    readonly includeProfileData: boolean
  }
  readonly getPeerAddresses: {}
  readonly getConnectedPeerInfo: {}
  readonly addPeer: {
    readonly peerAddress: {
      readonly ip: string
      readonly port?: number | undefined
    }
    readonly isPermanent: boolean
  }
  readonly ban: {
    readonly ip: string
  }
  readonly unban: {
    readonly ip: string
  }
  readonly shutdown: {}
  readonly submitBlock: {
    readonly block: RpcRawBlock
    readonly allowNonDaaBlocks: boolean
  }
  readonly getBlockTemplate: {
    readonly payAddress: string
    readonly extraData: string
  }
  readonly getSink: {}
  readonly getBlock: {
    readonly hash: string
    readonly includeTransactions: boolean
  }
  readonly getVirtualChainFromBlock: {
    readonly startHash: string
    readonly includeAcceptedTransactionIds: boolean
    readonly minConfirmationCount?: bigint | undefined
  }
  readonly getVirtualChainFromBlockV2: {
    readonly startHash: string
    readonly dataVerbosityLevel?: 'None' | 'Low' | 'High' | 'Full' | undefined
    readonly minConfirmationCount?: bigint | undefined
  }
  readonly getBlocks: {
    readonly lowHash?: string | undefined
    readonly includeBlocks: boolean
    readonly includeTransactions: boolean
  }
  readonly getBlockCount: {}
  readonly getBlockDagInfo: {}
  readonly resolveFinalityConflict: {
    readonly finalityBlockHash: string
  }
  readonly getHeaders: {
    readonly startHash: string
    readonly limit: bigint
    readonly isAscending: boolean
  }
  readonly getSinkBlueScore: {}
  readonly estimateNetworkHashesPerSecond: {
    readonly windowSize: number
    readonly startHash?: string | undefined
  }
  readonly getDaaScoreTimestampEstimate: {
    readonly daaScores: readonly bigint[]
  }
  readonly getCurrentBlockColor: {
    readonly hash: string
  }
  readonly getBlockRewardInfo: {
    readonly hash: string
  }
  readonly getSeqCommitLaneProof: {
    readonly blockHash: string
    readonly laneKey: string
  }
  readonly getUtxosByAddresses: {
    readonly addresses: readonly string[]
  }
  readonly getBalanceByAddress: {
    readonly address: string
  }
  readonly getBalancesByAddresses: {
    readonly addresses: readonly string[]
  }
  readonly getUtxoReturnAddress: {
    readonly txid: string
    readonly acceptingBlockDaaScore: bigint
  }
  readonly getCoinSupply: {}
  readonly getMempoolEntry: {
    readonly transactionId: string
    readonly includeOrphanPool: boolean
    readonly filterTransactionPool: boolean
  }
  readonly getMempoolEntries: {
    readonly includeOrphanPool: boolean
    readonly filterTransactionPool: boolean
  }
  readonly getMempoolEntriesByAddresses: {
    readonly addresses: readonly string[]
    readonly includeOrphanPool: boolean
    readonly filterTransactionPool: boolean
  }
  readonly submitTransaction: {
    readonly transaction: RpcTransaction
    readonly allowOrphan: boolean
  }
  readonly submitTransactionReplacement: {
    readonly transaction: RpcTransaction
  }
  readonly getFeeEstimate: {}
  readonly getFeeEstimateExperimental: {
    readonly verbose: boolean
  }
  readonly getSubnetwork: {
    readonly subnetworkId: string
  }
}

/** The response of each method. */
export interface RpcResponseMap {
  readonly subscribe: {
    readonly id: bigint
  }
  readonly unsubscribe: {}
  readonly ping: {}
  readonly getServerInfo: {
    readonly rpcApiVersion: number
    readonly rpcApiRevision: number
    readonly serverVersion: string
    readonly networkId: string
    readonly hasUtxoIndex: boolean
    readonly isSynced: boolean
    readonly virtualDaaScore: bigint
  }
  readonly getInfo: {
    readonly p2pId: string
    readonly mempoolSize: bigint
    readonly serverVersion: string
    readonly isUtxoIndexed: boolean
    readonly isSynced: boolean
    readonly hasNotifyCommand: boolean
    readonly hasMessageId: boolean
  }
  readonly getSyncStatus: {
    readonly isSynced: boolean
  }
  readonly getCurrentNetwork: {
    readonly network: string
  }
  readonly getMetrics: {
    readonly serverTime: bigint
    readonly processMetrics?:
      | {
          readonly residentSetSize: bigint
          readonly virtualMemorySize: bigint
          readonly coreNum: number
          readonly cpuUsage: number
          readonly fdNum: number
          readonly diskIoReadBytes: bigint
          readonly diskIoWriteBytes: bigint
          readonly diskIoReadPerSec: number
          readonly diskIoWritePerSec: number
        }
      | undefined
    readonly connectionMetrics?:
      | {
          readonly borshLiveConnections: number
          readonly borshConnectionAttempts: bigint
          readonly borshHandshakeFailures: bigint
          readonly jsonLiveConnections: number
          readonly jsonConnectionAttempts: bigint
          readonly jsonHandshakeFailures: bigint
          readonly activePeers: number
        }
      | undefined
    readonly bandwidthMetrics?:
      | {
          readonly borshBytesTx: bigint
          readonly borshBytesRx: bigint
          readonly jsonBytesTx: bigint
          readonly jsonBytesRx: bigint
          readonly p2pBytesTx: bigint
          readonly p2pBytesRx: bigint
          readonly grpcBytesTx: bigint
          readonly grpcBytesRx: bigint
        }
      | undefined
    readonly consensusMetrics?:
      | {
          readonly nodeBlocksSubmittedCount: bigint
          readonly nodeHeadersProcessedCount: bigint
          readonly nodeDependenciesProcessedCount: bigint
          readonly nodeBodiesProcessedCount: bigint
          readonly nodeTransactionsProcessedCount: bigint
          readonly nodeChainBlocksProcessedCount: bigint
          readonly nodeMassProcessedCount: bigint
          readonly nodeDatabaseBlocksCount: bigint
          readonly nodeDatabaseHeadersCount: bigint
          readonly networkMempoolSize: bigint
          readonly networkTipHashesCount: number
          readonly networkDifficulty: number
          readonly networkPastMedianTime: bigint
          readonly networkVirtualParentHashesCount: number
          readonly networkVirtualDaaScore: bigint
        }
      | undefined
    readonly storageMetrics?:
      | {
          readonly storageSizeBytes: bigint
        }
      | undefined
    readonly customMetrics?: {} | undefined
  }
  readonly getSystemInfo: {
    readonly version: string
    readonly systemId?: string | undefined
    readonly gitHash?: string | undefined
    readonly cpuPhysicalCores: number
    readonly totalMemory: bigint
    readonly fdLimit: number
    readonly proxySocketLimitPerCpuCore?: number | undefined
  }
  readonly getConnections: {
    readonly clients: number
    readonly peers: number
    readonly profileData?:
      | {
          readonly cpuUsage: number
          readonly memoryUsage: bigint
        }
      | undefined
  }
  readonly getPeerAddresses: {
    readonly knownAddresses: readonly {
      readonly ip: string
      readonly port: number
    }[]
    readonly bannedAddresses: readonly string[]
  }
  readonly getConnectedPeerInfo: {
    readonly peerInfo: readonly ConnectedPeerInfo[]
  }
  readonly addPeer: {}
  readonly ban: {}
  readonly unban: {}
  readonly shutdown: {}
  readonly submitBlock: {
    readonly report:
      | {
          readonly type: 'success'
        }
      | {
          readonly type: 'reject'
          readonly reason: 'blockInvalid' | 'isInIBD' | 'routeIsFull'
        }
  }
  readonly getBlockTemplate: {
    readonly block: RpcRawBlock
    readonly isSynced: boolean
  }
  readonly getSink: {
    readonly sink: string
  }
  readonly getBlock: {
    readonly block: RpcBlock
  }
  readonly getVirtualChainFromBlock: {
    readonly removedChainBlockHashes: readonly string[]
    readonly addedChainBlockHashes: readonly string[]
    readonly acceptedTransactionIds: readonly {
      readonly acceptingBlockHash: string
      readonly acceptedTransactionIds: readonly string[]
    }[]
  }
  readonly getVirtualChainFromBlockV2: {
    readonly removedChainBlockHashes: readonly string[]
    readonly addedChainBlockHashes: readonly string[]
    readonly chainBlockAcceptedTransactions: readonly RpcAcceptingBlock[]
  }
  readonly getBlocks: {
    readonly blockHashes: readonly string[]
    readonly blocks: readonly RpcBlock[]
  }
  readonly getBlockCount: {
    readonly headerCount: bigint
    readonly blockCount: bigint
  }
  readonly getBlockDagInfo: {
    readonly network: string
    readonly blockCount: bigint
    readonly headerCount: bigint
    readonly tipHashes: readonly string[]
    readonly difficulty: number
    readonly pastMedianTime: bigint
    readonly virtualParentHashes: readonly string[]
    readonly pruningPointHash: string
    readonly virtualDaaScore: bigint
    readonly sink: string
  }
  readonly resolveFinalityConflict: {}
  readonly getHeaders: {
    readonly headers: readonly RpcHeader[]
  }
  readonly getSinkBlueScore: {
    readonly blueScore: bigint
  }
  readonly estimateNetworkHashesPerSecond: {
    readonly networkHashesPerSecond: bigint
  }
  readonly getDaaScoreTimestampEstimate: {
    readonly timestamps: readonly bigint[]
  }
  readonly getCurrentBlockColor: {
    readonly blue: boolean
  }
  readonly getBlockRewardInfo: {
    readonly header: RpcHeader
    readonly blockColor: 'unknown' | 'blue' | 'red'
    readonly confirmationCount?: bigint | undefined
    readonly mergingChainBlockHash?: string | undefined
    readonly rewardAmount?: bigint | undefined
  }
  readonly getSeqCommitLaneProof: {
    readonly smtProof: string
    readonly lane?:
      | {
          readonly tip: string
          readonly blueScore: bigint
        }
      | undefined
    readonly payloadAndCtxDigest: string
    readonly parentSeqCommit: string
    readonly inactivityShortcut: string
  }
  readonly getUtxosByAddresses: {
    readonly entries: readonly {
      readonly address?: string | undefined
      readonly outpoint: {
        readonly transactionId: string
        readonly index: number
      }
      readonly amount: bigint
      readonly scriptPublicKey: ScriptPublicKey
      readonly blockDaaScore: bigint
      readonly isCoinbase: boolean
      readonly covenantId?: string | undefined
    }[]
  }
  readonly getBalanceByAddress: {
    readonly balance: bigint
  }
  readonly getBalancesByAddresses: {
    readonly entries: readonly {
      readonly address: string
      readonly balance?: bigint | undefined
    }[]
  }
  readonly getUtxoReturnAddress: {
    readonly returnAddress: string
  }
  readonly getCoinSupply: {
    readonly maxSompi: bigint
    readonly circulatingSompi: bigint
  }
  readonly getMempoolEntry: {
    readonly mempoolEntry: RpcMempoolEntry
  }
  readonly getMempoolEntries: {
    readonly mempoolEntries: readonly RpcMempoolEntry[]
  }
  readonly getMempoolEntriesByAddresses: {
    readonly entries: readonly {
      readonly address: string
      readonly sending: readonly RpcMempoolEntry[]
      readonly receiving: readonly RpcMempoolEntry[]
    }[]
  }
  readonly submitTransaction: {
    readonly transactionId: string
  }
  readonly submitTransactionReplacement: {
    readonly transactionId: string
    readonly replacedTransaction: RpcTransaction
  }
  readonly getFeeEstimate: {
    readonly estimate: {
      readonly priorityBucket: {
        readonly feerate: number
        readonly estimatedSeconds: number
      }
      readonly normalBuckets: readonly {
        readonly feerate: number
        readonly estimatedSeconds: number
      }[]
      readonly lowBuckets: readonly {
        readonly feerate: number
        readonly estimatedSeconds: number
      }[]
    }
  }
  readonly getFeeEstimateExperimental: {
    readonly estimate: {
      readonly priorityBucket: {
        readonly feerate: number
        readonly estimatedSeconds: number
      }
      readonly normalBuckets: readonly {
        readonly feerate: number
        readonly estimatedSeconds: number
      }[]
      readonly lowBuckets: readonly {
        readonly feerate: number
        readonly estimatedSeconds: number
      }[]
    }
    readonly verbose?:
      | {
          readonly mempoolReadyTransactionsCount: bigint
          readonly mempoolReadyTransactionsTotalMass: bigint
          readonly networkMassPerSecond: bigint
          readonly nextBlockTemplateFeerateMin: number
          readonly nextBlockTemplateFeerateMedian: number
          readonly nextBlockTemplateFeerateMax: number
        }
      | undefined
  }
  readonly getSubnetwork: {
    readonly gasLimit: bigint
  }
}

/** The data of each notification. */
export interface NotificationMap {
  readonly 'block-added': {
    readonly block: RpcBlock
  }
  readonly 'virtual-chain-changed': {
    readonly removedChainBlockHashes: readonly string[]
    readonly addedChainBlockHashes: readonly string[]
    readonly acceptedTransactionIds: readonly {
      readonly acceptingBlockHash: string
      readonly acceptedTransactionIds: readonly string[]
    }[]
  }
  readonly 'finality-conflict': {
    readonly violatingBlockHash: string
  }
  readonly 'finality-conflict-resolved': {
    readonly finalityBlockHash: string
  }
  readonly 'utxos-changed': {
    readonly added: readonly {
      readonly address?: string | undefined
      readonly outpoint: {
        readonly transactionId: string
        readonly index: number
      }
      readonly amount: bigint
      readonly scriptPublicKey: ScriptPublicKey
      readonly blockDaaScore: bigint
      readonly isCoinbase: boolean
      readonly covenantId?: string | undefined
    }[]
    readonly removed: readonly {
      readonly address?: string | undefined
      readonly outpoint: {
        readonly transactionId: string
        readonly index: number
      }
      readonly amount: bigint
      readonly scriptPublicKey: ScriptPublicKey
      readonly blockDaaScore: bigint
      readonly isCoinbase: boolean
      readonly covenantId?: string | undefined
    }[]
  }
  readonly 'sink-blue-score-changed': {
    readonly sinkBlueScore: bigint
  }
  readonly 'virtual-daa-score-changed': {
    readonly virtualDaaScore: bigint
  }
  readonly 'pruning-point-utxo-set-override': {}
  readonly 'new-block-template': {}
}
