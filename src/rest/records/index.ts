/** Record types of the server's responses; the shapes stay internal. */
export type { ChainRestTransactionAcceptance } from './acceptance.js'
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
} from './addresses.js'
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
} from './blocks.js'
export type {
  ChainRestChaindInfoResponse,
  ChainRestChaindResponse,
  ChainRestDBCheckStatus,
  ChainRestHealthResponse,
} from './health.js'
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
} from './network.js'
export type { ChainRestTxSearch, ChainRestTxSearchAcceptingBlueScores, ChainRestTransactionSearch } from './search.js'
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
} from './submission.js'
export type {
  ChainRestResolvePreviousOutpoints,
  ChainRestTransaction,
  ChainRestTransactionCountResponse,
  ChainRestTransactionInput,
  ChainRestTransactionOutput,
  ChainRestTransactionPage,
} from './transactions.js'
export type {
  ChainRestOutpoint,
  ChainRestScriptPublicKey,
  ChainRestUtxoCountResponse,
  ChainRestUtxoModel,
  ChainRestUtxoResponse,
} from './utxos.js'
export type {
  ChainRestAcceptedTransactionIds,
  ChainRestVcBlock,
  ChainRestVcTx,
  ChainRestVcTxInput,
  ChainRestVcTxOutput,
  ChainRestVirtualChainFromBlock,
} from './virtual-chain.js'
