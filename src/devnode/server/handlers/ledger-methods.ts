import type { LedgerMethod } from '../../ledger/ledger.js'
import { ok, type Handler, type Handlers } from './handler.js'

const queryLedger =
  <M extends LedgerMethod>(method: M): Handler<M> =>
  (request, { live }) =>
    live.ledger.call(method, request, live.now())

/** Chain, UTXO, mempool and mining methods: the ledger's queries, and `submitBlock`, which changes it. */
export const ledgerMethods = {
  getBlock: queryLedger('getBlock'),
  getBlocks: queryLedger('getBlocks'),
  getBlockCount: queryLedger('getBlockCount'),
  getBlockDagInfo: queryLedger('getBlockDagInfo'),
  getBlockRewardInfo: queryLedger('getBlockRewardInfo'),
  getCurrentBlockColor: queryLedger('getCurrentBlockColor'),
  getDaaScoreTimestampEstimate: queryLedger('getDaaScoreTimestampEstimate'),
  estimateNetworkHashesPerSecond: queryLedger('estimateNetworkHashesPerSecond'),
  getHeaders: queryLedger('getHeaders'),
  getSink: queryLedger('getSink'),
  getSinkBlueScore: queryLedger('getSinkBlueScore'),
  getSubnetwork: queryLedger('getSubnetwork'),
  getVirtualChainFromBlock: queryLedger('getVirtualChainFromBlock'),
  getVirtualChainFromBlockV2: queryLedger('getVirtualChainFromBlockV2'),

  getBalanceByAddress: queryLedger('getBalanceByAddress'),
  getBalancesByAddresses: queryLedger('getBalancesByAddresses'),
  getCoinSupply: queryLedger('getCoinSupply'),
  getUtxosByAddresses: queryLedger('getUtxosByAddresses'),
  getUtxoReturnAddress: queryLedger('getUtxoReturnAddress'),

  getFeeEstimate: queryLedger('getFeeEstimate'),
  getFeeEstimateExperimental: queryLedger('getFeeEstimateExperimental'),
  getMempoolEntries: queryLedger('getMempoolEntries'),
  getMempoolEntriesByAddresses: queryLedger('getMempoolEntriesByAddresses'),
  getMempoolEntry: queryLedger('getMempoolEntry'),
  submitTransaction: queryLedger('submitTransaction'),
  submitTransactionReplacement: queryLedger('submitTransactionReplacement'),

  getBlockTemplate: queryLedger('getBlockTemplate'),
  submitBlock: (request, { live }) => ok(live.apply((ledger, now) => ledger.submitBlock(request, now))),
} as const satisfies Partial<Handlers>
