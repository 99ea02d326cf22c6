import { block, rawBlock, untaggedHeader } from './blocks.js'
import { balanceEntry, utxoEntry } from './coins.js'
import { feeEstimate, feeEstimateVerbose } from './fees.js'
import { notifications } from './notifications.js'
import { metrics, metricsRequest, peerAddress, peerInfo, systemInfo } from './operators.js'
import type { Shape } from './shape.js'
import { mempoolEntry, mempoolEntryByAddress, transaction } from './transactions.js'
import { acceptedByChainBlock, verbosity } from './virtual-chain.js'

/** A method of the node. Adding one is adding an entry below: its types, both encodings and the guard follow from it. */
export interface MethodEntry {
  /** Its code in Borsh. JSON names it by its key. */
  readonly op: number
  /** The node version that brought it; nodes close the connection on methods they do not know. Without it: every node. */
  readonly since?: string
  readonly request: Shape
  readonly response: Shape
}

const nothing = { tag: 'u16', fields: {} } as const satisfies Shape
const subscription = { tag: 'u16', fields: { scope: { inline: { scope: notifications } } } } as const satisfies Shape

/** Every method of the node. */
export const methods = {
  subscribe: { op: 3, request: subscription, response: { tag: 'u16', fields: { id: 'u64' } } },
  unsubscribe: { op: 4, request: subscription, response: nothing },
  ping: { op: 110, request: { tag: 'none', fields: {} }, response: { tag: 'u8', fields: {} } },
  getMetrics: { op: 111, request: metricsRequest, response: metrics },
  getSystemInfo: { op: 112, request: nothing, response: systemInfo },
  getConnections: {
    op: 113,
    request: { tag: 'u8', fields: { includeProfileData: 'bool' } },
    response: {
      tag: 'u16',
      fields: {
        clients: 'u32',
        peers: 'u16',
        profileData: { opt: { tag: 'none', fields: { cpuUsage: 'f32', memoryUsage: 'u64' } } },
      },
    },
  },
  getServerInfo: {
    op: 114,
    request: nothing,
    response: {
      tag: 'u16',
      fields: {
        rpcApiVersion: 'u16',
        rpcApiRevision: 'u16',
        serverVersion: 'text',
        networkId: 'networkId',
        hasUtxoIndex: 'bool',
        isSynced: 'bool',
        virtualDaaScore: 'u64',
      },
    },
  },
  getSyncStatus: { op: 115, request: nothing, response: { tag: 'u16', fields: { isSynced: 'bool' } } },
  getCurrentNetwork: { op: 116, request: nothing, response: { tag: 'u16', fields: { network: 'networkType' } } },
  submitBlock: {
    op: 117,
    request: {
      tag: 'u16',
      fields: {
        block: { box: rawBlock },
        allowNonDaaBlocks: { named: ['allowNonDaaBlocks', 'allowNonDAABlocks'], is: 'bool' },
      },
    },
    response: {
      tag: 'u16',
      fields: {
        report: {
          union: {
            success: {},
            reject: { reason: { oneOf: { blockInvalid: 1, isInIBD: 2, routeIsFull: 3 }, width: 'u8' } },
          },
        },
      },
    },
  },
  getBlockTemplate: {
    op: 118,
    request: { tag: 'u16', fields: { payAddress: 'address', extraData: 'byteList' } },
    response: { tag: 'u16', fields: { block: { box: rawBlock }, isSynced: 'bool' } },
  },
  getPeerAddresses: {
    op: 119,
    request: nothing,
    response: { tag: 'u16', fields: { knownAddresses: { vec: peerAddress }, bannedAddresses: { vec: 'ip' } } },
  },
  getSink: { op: 120, request: nothing, response: { tag: 'u16', fields: { sink: 'hash' } } },
  getMempoolEntry: {
    op: 121,
    request: {
      tag: 'u16',
      fields: { transactionId: 'hash', includeOrphanPool: 'bool', filterTransactionPool: 'bool' },
    },
    response: { tag: 'u16', fields: { mempoolEntry: { box: mempoolEntry } } },
  },
  getMempoolEntries: {
    op: 122,
    request: { tag: 'u16', fields: { includeOrphanPool: 'bool', filterTransactionPool: 'bool' } },
    response: { tag: 'u16', fields: { mempoolEntries: { boxvec: mempoolEntry } } },
  },
  getConnectedPeerInfo: {
    op: 123,
    request: nothing,
    response: { tag: 'u16', fields: { peerInfo: { vec: peerInfo } } },
  },
  addPeer: {
    op: 124,
    request: {
      tag: 'u16',
      fields: { peerAddress: { tag: 'none', fields: { ip: 'ip', port: { opt: 'u16' } } }, isPermanent: 'bool' },
    },
    response: nothing,
  },
  submitTransaction: {
    op: 125,
    request: { tag: 'u16', fields: { transaction: { box: transaction }, allowOrphan: 'bool' } },
    response: { tag: 'u16', fields: { transactionId: 'hash' } },
  },
  getBlock: {
    op: 126,
    request: { tag: 'u16', fields: { hash: 'hash', includeTransactions: 'bool' } },
    response: { tag: 'u16', fields: { block: { box: block } } },
  },
  getSubnetwork: {
    op: 127,
    request: { tag: 'u16', fields: { subnetworkId: 'subnetworkId' } },
    response: { tag: 'u16', fields: { gasLimit: 'u64' } },
  },
  getVirtualChainFromBlock: {
    op: 128,
    request: {
      tag: 'u16',
      fields: {
        startHash: 'hash',
        includeAcceptedTransactionIds: 'bool',
        minConfirmationCount: { added: { opt: 'u64' } },
      },
    },
    response: notifications['virtual-chain-changed'].data,
  },
  getBlocks: {
    op: 129,
    request: { tag: 'u16', fields: { lowHash: { opt: 'hash' }, includeBlocks: 'bool', includeTransactions: 'bool' } },
    response: { tag: 'u16', fields: { blockHashes: { vec: 'hash' }, blocks: { boxvec: block } } },
  },
  getBlockCount: {
    op: 130,
    request: nothing,
    response: { tag: 'u16', fields: { headerCount: 'u64', blockCount: 'u64' } },
  },
  getBlockDagInfo: {
    op: 131,
    request: nothing,
    response: {
      tag: 'u16',
      fields: {
        network: 'networkId',
        blockCount: 'u64',
        headerCount: 'u64',
        tipHashes: { vec: 'hash' },
        difficulty: 'f64',
        pastMedianTime: 'u64',
        virtualParentHashes: { vec: 'hash' },
        pruningPointHash: 'hash',
        virtualDaaScore: 'u64',
        sink: 'hash',
      },
    },
  },
  resolveFinalityConflict: {
    op: 132,
    request: { tag: 'u16', fields: { finalityBlockHash: 'hash' } },
    response: nothing,
  },
  shutdown: { op: 133, request: nothing, response: nothing },
  getHeaders: {
    op: 134,
    request: { tag: 'u16', fields: { startHash: 'hash', limit: 'u64', isAscending: 'bool' } },
    response: { tag: 'u16', fields: { headers: { vec: untaggedHeader } } },
  },
  getUtxosByAddresses: {
    op: 135,
    request: { tag: 'u16', fields: { addresses: { vec: 'address' } } },
    response: { tag: 'u16', fields: { entries: { boxvec: utxoEntry } } },
  },
  getBalanceByAddress: {
    op: 136,
    request: { tag: 'u16', fields: { address: 'address' } },
    response: { tag: 'u16', fields: { balance: 'u64' } },
  },
  getBalancesByAddresses: {
    op: 137,
    request: { tag: 'u16', fields: { addresses: { vec: 'address' } } },
    response: { tag: 'u16', fields: { entries: { boxvec: balanceEntry } } },
  },
  getSinkBlueScore: { op: 138, request: nothing, response: { tag: 'u16', fields: { blueScore: 'u64' } } },
  ban: { op: 139, request: { tag: 'u16', fields: { ip: 'ip' } }, response: nothing },
  unban: { op: 140, request: { tag: 'u16', fields: { ip: 'ip' } }, response: nothing },
  getInfo: {
    op: 141,
    request: nothing,
    response: {
      tag: 'u16',
      fields: {
        p2pId: 'text',
        mempoolSize: 'u64',
        serverVersion: 'text',
        isUtxoIndexed: 'bool',
        isSynced: 'bool',
        hasNotifyCommand: 'bool',
        hasMessageId: 'bool',
      },
    },
  },
  estimateNetworkHashesPerSecond: {
    op: 142,
    request: { tag: 'u16', fields: { windowSize: 'u32', startHash: { opt: 'hash' } } },
    response: { tag: 'u16', fields: { networkHashesPerSecond: 'u64' } },
  },
  getMempoolEntriesByAddresses: {
    op: 143,
    request: {
      tag: 'u16',
      fields: { addresses: { vec: 'address' }, includeOrphanPool: 'bool', filterTransactionPool: 'bool' },
    },
    response: { tag: 'u16', fields: { entries: { boxvec: mempoolEntryByAddress } } },
  },
  getCoinSupply: {
    op: 144,
    request: nothing,
    response: { tag: 'u16', fields: { maxSompi: 'u64', circulatingSompi: 'u64' } },
  },
  getDaaScoreTimestampEstimate: {
    op: 145,
    request: { tag: 'u16', fields: { daaScores: { vec: 'u64' } } },
    response: { tag: 'u16', fields: { timestamps: { vec: 'u64' } } },
  },
  submitTransactionReplacement: {
    op: 146,
    request: { tag: 'u16', fields: { transaction: { box: transaction } } },
    response: { tag: 'u16', fields: { transactionId: 'hash', replacedTransaction: { box: transaction } } },
  },
  getFeeEstimate: { op: 147, request: nothing, response: { tag: 'u16', fields: { estimate: { box: feeEstimate } } } },
  getFeeEstimateExperimental: {
    op: 148,
    request: { tag: 'u16', fields: { verbose: 'bool' } },
    response: { tag: 'u16', fields: { estimate: { box: feeEstimate }, verbose: { boxopt: feeEstimateVerbose } } },
  },
  getCurrentBlockColor: {
    op: 149,
    request: { tag: 'u16', fields: { hash: 'hash' } },
    response: { tag: 'u16', fields: { blue: 'bool' } },
  },
  getUtxoReturnAddress: {
    op: 150,
    since: '0.16.1',
    request: { tag: 'u16', fields: { txid: 'hash', acceptingBlockDaaScore: 'u64' } },
    response: { tag: 'u16', fields: { returnAddress: 'address' } },
  },
  getVirtualChainFromBlockV2: {
    op: 151,
    since: '1.1.0',
    request: {
      tag: 'u16',
      fields: {
        startHash: 'hash',
        dataVerbosityLevel: { boxopt: verbosity },
        minConfirmationCount: { opt: 'u64' },
      },
    },
    response: {
      tag: 'u16',
      fields: {
        removedChainBlockHashes: { vec: 'hash' },
        addedChainBlockHashes: { vec: 'hash' },
        chainBlockAcceptedTransactions: { boxvec: acceptedByChainBlock },
      },
    },
  },
  getBlockRewardInfo: {
    op: 152,
    since: '2.0.0',
    request: { tag: 'u16', fields: { hash: 'hash' } },
    response: {
      tag: 'u16',
      fields: {
        header: untaggedHeader,
        blockColor: { oneOf: { unknown: 0, blue: 1, red: 2 }, width: 'u8' },
        confirmationCount: { opt: 'u64' },
        mergingChainBlockHash: { opt: 'hash' },
        rewardAmount: { opt: 'u64' },
      },
    },
  },
  getSeqCommitLaneProof: {
    op: 153,
    since: '2.0.0',
    request: { tag: 'u16', fields: { blockHash: 'hash', laneKey: 'hash' } },
    response: {
      tag: 'u16',
      fields: {
        smtProof: 'byteList',
        lane: { boxopt: { tag: 'u8', fields: { tip: 'hash', blueScore: 'u64' } } },
        payloadAndCtxDigest: 'hash',
        parentSeqCommit: 'hash',
        inactivityShortcut: 'hash',
      },
    },
  },
} as const satisfies Record<string, MethodEntry>
