import { block, rawBlock, untaggedHeader, acceptedByChainBlock, verbosity } from './blocks.js'
import { emptyBody, type MethodEntry } from './shape.js'
import { virtualChainChange } from './transactions.js'

/** Methods for blocks and the virtual chain. */
export const blockMethods = {
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
  getSink: { op: 120, request: emptyBody, response: { tag: 'u16', fields: { sink: 'hash' } } },
  getBlock: {
    op: 126,
    request: { tag: 'u16', fields: { hash: 'hash', includeTransactions: 'bool' } },
    response: { tag: 'u16', fields: { block: { box: block } } },
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
    response: virtualChainChange,
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
  getBlocks: {
    op: 129,
    request: { tag: 'u16', fields: { lowHash: { opt: 'hash' }, includeBlocks: 'bool', includeTransactions: 'bool' } },
    response: { tag: 'u16', fields: { blockHashes: { vec: 'hash' }, blocks: { boxvec: block } } },
  },
  getBlockCount: {
    op: 130,
    request: emptyBody,
    response: { tag: 'u16', fields: { headerCount: 'count', blockCount: 'count' } },
  },
  getBlockDagInfo: {
    op: 131,
    request: emptyBody,
    response: {
      tag: 'u16',
      fields: {
        network: 'networkId',
        blockCount: 'count',
        headerCount: 'count',
        tipHashes: { vec: 'hash' },
        difficulty: 'measure',
        pastMedianTime: 'time',
        virtualParentHashes: { vec: 'hash' },
        pruningPointHash: 'hash',
        virtualDaaScore: 'score',
        sink: 'hash',
      },
    },
  },
  resolveFinalityConflict: {
    op: 132,
    request: { tag: 'u16', fields: { finalityBlockHash: 'hash' } },
    response: emptyBody,
  },
  getHeaders: {
    op: 134,
    request: { tag: 'u16', fields: { startHash: 'hash', limit: 'u64', isAscending: 'bool' } },
    response: { tag: 'u16', fields: { headers: { vec: untaggedHeader } } },
  },
  getSinkBlueScore: { op: 138, request: emptyBody, response: { tag: 'u16', fields: { blueScore: 'score' } } },
  estimateNetworkHashesPerSecond: {
    op: 142,
    request: { tag: 'u16', fields: { windowSize: 'u32', startHash: { opt: 'hash' } } },
    response: { tag: 'u16', fields: { networkHashesPerSecond: 'u64' } },
  },
  getDaaScoreTimestampEstimate: {
    op: 145,
    request: { tag: 'u16', fields: { daaScores: { vec: 'u64' } } },
    response: { tag: 'u16', fields: { timestamps: { vec: 'u64' } } },
  },
  getCurrentBlockColor: {
    op: 149,
    request: { tag: 'u16', fields: { hash: 'hash' } },
    response: { tag: 'u16', fields: { blue: 'bool' } },
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
        confirmationCount: { opt: 'count' },
        mergingChainBlockHash: { opt: 'hash' },
        rewardAmount: { opt: 'sompi' },
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
        lane: { boxopt: { tag: 'u8', fields: { tip: 'hash', blueScore: 'score' } } },
        payloadAndCtxDigest: 'hash',
        parentSeqCommit: 'hash',
        inactivityShortcut: 'hash',
      },
    },
  },
} as const satisfies Record<string, MethodEntry>
