import { addressArgument, countArgument, hashArgument, hexArgument, invalidValue, scoresArgument } from './checks.js'
import { unchanged, emptyRequest, noResult, type QueryTable, toRequestedBlock, toTimestamps } from './results.js'

/** Queries about blocks and the virtual chain. */
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
    argumentCount: 1,
    request: (_network, hash) => ({ hash: hashArgument('hash', hash), includeTransactions: false }),
    result: ({ block }, hash) => toRequestedBlock(block, hash),
  },
  getBlocks: {
    argumentCount: 0,
    request: (_network, { lowHash, includeBlocks = false, includeTransactions = false } = {}) => {
      if (includeTransactions && !includeBlocks)
        throw invalidValue('includeTransactions', 'supported without includeBlocks')
      return {
        lowHash: lowHash === undefined ? undefined : hashArgument('lowHash', lowHash),
        includeBlocks,
        includeTransactions,
      }
    },
    result: unchanged,
  },
  getBlockCount: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getBlockDagInfo: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getHeaders: {
    argumentCount: 3,
    request: (_network, startHash, limit, isAscending) => ({
      startHash: hashArgument('startHash', startHash),
      limit: BigInt(countArgument('limit', limit)),
      isAscending,
    }),
    result: unchanged,
  },
  getSink: { argumentCount: 0, request: emptyRequest, result: unchanged },
  getSinkBlueScore: {
    argumentCount: 0,
    request: emptyRequest,
    result: ({ blueScore }) => ({ sinkBlueScore: blueScore }),
  },
  getVirtualChainFromBlock: {
    argumentCount: 2,
    request: (_network, startHash, includeAcceptedTransactionIds) => ({
      startHash: hashArgument('startHash', startHash),
      includeAcceptedTransactionIds,
    }),
    result: unchanged,
  },
  getVirtualChainFromBlockV2: {
    argumentCount: 1,
    request: (_network, startHash, { dataVerbosityLevel = 'Full', minConfirmationCount } = {}) => ({
      startHash: hashArgument('startHash', startHash),
      dataVerbosityLevel,
      minConfirmationCount,
    }),
    result: unchanged,
  },
  getCurrentBlockColor: {
    argumentCount: 1,
    request: (_network, hash) => ({ hash: hashArgument('hash', hash) }),
    result: unchanged,
  },
  getDaaScoreTimestampEstimate: {
    argumentCount: 1,
    request: (_network, daaScores) => ({ daaScores: scoresArgument('daaScores', daaScores) }),
    result: ({ timestamps }, daaScores) => toTimestamps(timestamps, daaScores),
  },
  estimateNetworkHashesPerSecond: {
    argumentCount: 2,
    request: (_network, windowSize, tipHash) => ({
      windowSize: countArgument('windowSize', windowSize),
      startHash: tipHash === undefined ? undefined : hashArgument('tipHash', tipHash),
    }),
    result: unchanged,
  },
  getBlockTemplate: {
    argumentCount: 2,
    request: (network, payAddress, extraData = '') => ({
      payAddress: addressArgument('payAddress', payAddress, network),
      extraData: hexArgument('extraData', extraData),
    }),
    result: unchanged,
  },
  submitBlock: {
    argumentCount: 2,
    request: (_network, block, allowNonDaaBlocks = false) => ({ block, allowNonDaaBlocks }),
    result: unchanged,
  },
  resolveFinalityConflict: {
    argumentCount: 1,
    request: (_network, hash) => ({ finalityBlockHash: hashArgument('finalityBlockHash', hash) }),
    result: noResult,
  },
}
