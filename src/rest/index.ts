/** Entry point of the indexer's client alone: its options, its operations, and every record of its responses. */

export { createRestClient } from './client.js'
export type { ChainRestClient } from './client.js'
export type {
  ChainRestOptions,
  ChainRestRequestOptions,
  RestHeaders,
  SharedRequestOptions,
  RestPlatform,
  RestReport,
} from './options.js'
export { ChainRestError } from '../errors/rest-error.js'
export type { ChainRestErrorCode, ChainRestErrorOptions } from '../errors/rest-error.js'

// Transfer of server-rendered responses to the browser
export { dehydrateRest, hydrateRest } from './hydration.js'
export type { CacheEntry as RestCacheEntry, RestCache } from './requests/store.js'

// Operations
export type {
  RestOperations,
  ChainRestRawRequestOptions,
  RawRequest as RestRawRequest,
} from './endpoints/operations.js'
export type {
  AddressTransactionOperations as RestAddressTransactionOperations,
  AddressTransactionsOptions,
  AddressTransactionsPageOptions,
} from './endpoints/address-transactions.js'
export type {
  AddressDistributionOptions,
  AddressOperations as RestAddressOperations,
  TopAddressesOptions,
} from './endpoints/addresses.js'
export type {
  BlockOperations as RestBlockOperations,
  BlocksFromBlueScoreOptions,
  GetRestBlockOptions,
  GetRestBlocksOptions,
} from './endpoints/blocks.js'
export type {
  HealthOperations as RestHealthOperations,
  ChainRestHalvingField,
  GetHalving,
  HashrateHistoryForOptions,
  HashrateHistoryOptions,
  InfoOperations as RestInfoOperations,
  OrText,
} from './endpoints/info.js'
export type {
  GetTransactionOptions,
  ResolveOptions,
  SearchTransactionsOptions,
  SubmitTransactionOptions,
  TransactionOperations as RestTransactionOperations,
} from './endpoints/transactions.js'
export type { UtxoOperations as RestUtxoOperations } from './endpoints/utxos.js'
export type {
  GetVirtualChainOptions,
  VirtualChainFromBlockOptions,
  VirtualChainOperations as RestVirtualChainOperations,
} from './endpoints/virtual-chain.js'

// Records
export type {
  ChainRestTransactionAcceptance,
  ChainRestTxSearch,
  ChainRestTxSearchAcceptingBlueScores,
  ChainRestTransactionSearch,
  ChainRestAcceptedTransactionIds,
  ChainRestVcBlock,
  ChainRestVcTx,
  ChainRestVcTxInput,
  ChainRestVcTxOutput,
  ChainRestVirtualChainFromBlock,
} from './records/acceptance.js'
export type {
  ChainRestAddressBalanceHistory,
  ChainRestAddressName,
  ChainRestAddressesActiveCountResponse,
  ChainRestAddressesActiveResponse,
  ChainRestBalanceEntry,
  ChainRestBalanceResponse,
  ChainRestBalancesByAddressEntry,
  ChainRestDistributionTier,
  ChainRestDistributionTiers,
  ChainRestTopAddress,
  ChainRestTopAddresses,
  ChainRestTransactionCount,
  ChainRestOutpoint,
  ChainRestScriptPublicKey,
  ChainRestUtxoCountResponse,
  ChainRestUtxoModel,
  ChainRestUtxoResponse,
} from './records/addresses.js'
export type {
  ChainRestBlock,
  ChainRestBlockHeader,
  ChainRestBlockResponse,
  ChainRestBlockTx,
  ChainRestBlockTxInput,
  ChainRestBlockTxInputPreviousOutpoint,
  ChainRestBlockTxOutput,
  ChainRestBlockTxOutputScriptPublicKey,
  ChainRestBlockTxOutputVerboseData,
  ChainRestBlockTxVerboseData,
  ChainRestParentHash,
  ChainRestVerboseData,
} from './records/blocks.js'
export type {
  ChainRestChaindInfoResponse,
  ChainRestChaindResponse,
  ChainRestDBCheckStatus,
  ChainRestHealthResponse,
} from './records/health.js'
export type {
  ChainRestBlockRewardResponse,
  ChainRestBlockdagResponse,
  ChainRestBlueScoreResponse,
  ChainRestCoinSupplyResponse,
  ChainRestFeeBucket,
  ChainRestFeeEstimate,
  ChainRestHalvingResponse,
  ChainRestHashrateHistoryResponse,
  ChainRestHashrateResponse,
  ChainRestMarketCapResponse,
  ChainRestMaxHashrateBlockHeader,
  ChainRestMaxHashrateResponse,
  ChainRestPriceResponse,
} from './records/network.js'
export type {
  ChainRestSubmitTransactionRequest,
  ChainRestSubmitTransactionResponse,
  ChainRestSubmitTxInput,
  ChainRestSubmitTxModel,
  ChainRestSubmitTxOutpoint,
  ChainRestSubmitTxOutput,
  ChainRestSubmitTxScriptPublicKey,
  ChainRestTxMass,
  ChainRestInteger,
  ChainRestSerializedTransaction,
  ChainRestTransactionLike,
  ChainRestSerializedInput,
  ChainRestTransactionModel,
} from './records/submission.js'
export type {
  ChainRestResolvePreviousOutpoints,
  ChainRestTransaction,
  ChainRestTransactionCountResponse,
  ChainRestTransactionInput,
  ChainRestTransactionOutput,
  ChainRestTransactionPage,
} from './records/transactions.js'
