import type { LedgerMethod } from '../../ledger/ledger.js'
import { answer, type Handler, type Handlers } from './handler.js'

/** The ledger knows. */
const ask =
  <M extends LedgerMethod>(method: M): Handler<M> =>
  (request, { live }) =>
    live.ledger.answer(method, request, live.now())

/** Chain, coins, mempool and mining: what the ledger answers, and the one call that moves it. */
export const fromLedger = {
  getBlock: ask('getBlock'),
  getBlocks: ask('getBlocks'),
  getBlockCount: ask('getBlockCount'),
  getBlockDagInfo: ask('getBlockDagInfo'),
  getBlockRewardInfo: ask('getBlockRewardInfo'),
  getCurrentBlockColor: ask('getCurrentBlockColor'),
  getDaaScoreTimestampEstimate: ask('getDaaScoreTimestampEstimate'),
  estimateNetworkHashesPerSecond: ask('estimateNetworkHashesPerSecond'),
  getHeaders: ask('getHeaders'),
  getSink: ask('getSink'),
  getSinkBlueScore: ask('getSinkBlueScore'),
  getSubnetwork: ask('getSubnetwork'),
  getVirtualChainFromBlock: ask('getVirtualChainFromBlock'),
  getVirtualChainFromBlockV2: ask('getVirtualChainFromBlockV2'),

  getBalanceByAddress: ask('getBalanceByAddress'),
  getBalancesByAddresses: ask('getBalancesByAddresses'),
  getCoinSupply: ask('getCoinSupply'),
  getUtxosByAddresses: ask('getUtxosByAddresses'),
  getUtxoReturnAddress: ask('getUtxoReturnAddress'),

  getFeeEstimate: ask('getFeeEstimate'),
  getFeeEstimateExperimental: ask('getFeeEstimateExperimental'),
  getMempoolEntries: ask('getMempoolEntries'),
  getMempoolEntriesByAddresses: ask('getMempoolEntriesByAddresses'),
  getMempoolEntry: ask('getMempoolEntry'),
  submitTransaction: ask('submitTransaction'),
  submitTransactionReplacement: ask('submitTransactionReplacement'),

  getBlockTemplate: ask('getBlockTemplate'),
  submitBlock: (request, { live }) => answer(live.take((ledger, now) => ledger.submitBlock(request, now))),
} as const satisfies Partial<Handlers>
