import { addressArgument, countArgument, hashArgument, hexArgument, refused, scoresArgument } from './checks.js'
import { asItIs, nothing, silence, type QueryTable } from './entry.js'
import { toBlockInfo } from './results.js'

/** What is asked about blocks and the virtual chain. */
export const BLOCK_QUERIES: Pick<
  QueryTable,
  | 'getBlock'
  | 'getBlocks'
  | 'getBlockCount'
  | 'getBlockDagInfo'
  | 'getHeaders'
  | 'getSink'
  | 'getSinkBlueScore'
  | 'getVirtualChainFromBlock'
  | 'getVirtualChainFromBlockV2'
  | 'getCurrentBlockColor'
  | 'getDaaScoreTimestampEstimate'
  | 'estimateNetworkHashesPerSecond'
  | 'getBlockTemplate'
  | 'submitBlock'
  | 'resolveFinalityConflict'
> = {
  getBlock: {
    takes: 1,
    request: (_network, hash) => ({ hash: hashArgument('hash', hash), includeTransactions: false }),
    result: ({ block }) => toBlockInfo('getBlock', block),
  },
  getBlocks: {
    takes: 0,
    request: (_network, { lowHash, includeBlocks = false, includeTransactions = false } = {}) => {
      if (includeTransactions && !includeBlocks) throw refused('includeTransactions', 'possible without includeBlocks')
      return {
        lowHash: lowHash === undefined ? undefined : hashArgument('lowHash', lowHash),
        includeBlocks,
        includeTransactions,
      }
    },
    result: asItIs,
  },
  getBlockCount: { takes: 0, request: nothing, result: asItIs },
  getBlockDagInfo: { takes: 0, request: nothing, result: asItIs },
  getHeaders: {
    takes: 3,
    request: (_network, startHash, limit, isAscending) => ({
      startHash: hashArgument('startHash', startHash),
      limit: BigInt(countArgument('limit', limit)),
      isAscending,
    }),
    result: asItIs,
  },
  getSink: { takes: 0, request: nothing, result: asItIs },
  getSinkBlueScore: { takes: 0, request: nothing, result: ({ blueScore }) => ({ sinkBlueScore: blueScore }) },
  getVirtualChainFromBlock: {
    takes: 2,
    request: (_network, startHash, includeAcceptedTransactionIds) => ({
      startHash: hashArgument('startHash', startHash),
      includeAcceptedTransactionIds,
    }),
    result: asItIs,
  },
  getVirtualChainFromBlockV2: {
    takes: 1,
    request: (_network, startHash, { dataVerbosityLevel = 'Full', minConfirmationCount } = {}) => ({
      startHash: hashArgument('startHash', startHash),
      dataVerbosityLevel,
      minConfirmationCount,
    }),
    result: asItIs,
  },
  getCurrentBlockColor: {
    takes: 1,
    request: (_network, hash) => ({ hash: hashArgument('hash', hash) }),
    result: asItIs,
  },
  getDaaScoreTimestampEstimate: {
    takes: 1,
    request: (_network, daaScores) => ({ daaScores: scoresArgument('daaScores', daaScores) }),
    result: ({ timestamps }) => timestamps.map(Number),
  },
  estimateNetworkHashesPerSecond: {
    takes: 2,
    request: (_network, windowSize, tipHash) => ({
      windowSize: countArgument('windowSize', windowSize),
      startHash: tipHash === undefined ? undefined : hashArgument('tipHash', tipHash),
    }),
    result: asItIs,
  },
  getBlockTemplate: {
    takes: 2,
    request: (network, payAddress, extraData = '') => ({
      payAddress: addressArgument('payAddress', payAddress, network),
      extraData: hexArgument('extraData', extraData),
    }),
    result: asItIs,
  },
  submitBlock: {
    takes: 2,
    request: (_network, block, allowNonDaaBlocks = false) => ({ block, allowNonDaaBlocks }),
    result: asItIs,
  },
  resolveFinalityConflict: {
    takes: 1,
    request: (_network, hash) => ({ finalityBlockHash: hashArgument('finalityBlockHash', hash) }),
    result: silence,
  },
}
