/** Entry point for Vue apps: plugin, composables, types and errors. */

// The plugin
export { VueChain } from './adapters/vue/plugin/plugin.js'
export { dehydrateRest, hydrateRest } from './rest/hydration.js'
export type { RenderedFailure } from './rest/hydration.js'
export type { HydrationEntry, HydrationStore } from './adapters/vue/plugin/hydration.js'
export type { VueChainOptions } from './adapters/vue/plugin/options.js'

// Composables with their options and return types
export type { Listening, AddressesArgument } from './adapters/vue/bridges/stream-refs.js'
export { useRpc } from './adapters/vue/composables/useRpc.js'
export type { RpcState, UseRpcReturn } from './adapters/vue/composables/useRpc.js'
export { useBlockListener } from './adapters/vue/composables/useBlockListener.js'
export type { BlockListenerOptions, UseBlockListenerReturn } from './adapters/vue/composables/useBlockListener.js'
export { useChain } from './adapters/vue/composables/useChain.js'
export type { UseChainReturn } from './adapters/vue/composables/useChain.js'
export { useChainEngine } from './adapters/vue/composables/useChainEngine.js'
export { useChainRest } from './adapters/vue/composables/useChainRest.js'
export type { UseChainRestReturn } from './adapters/vue/composables/useChainRest.js'
export { useCrypto } from './adapters/vue/composables/useCrypto.js'
export type { UseCryptoReturn } from './adapters/vue/composables/useCrypto.js'
export { useNetwork } from './adapters/vue/composables/useNetwork.js'
export type { UseNetworkReturn } from './adapters/vue/composables/useNetwork.js'
export { queryOptions } from './adapters/vue/composables/reactive-query.js'
export type {
  PortableQueryOptions,
  UseInfiniteQueryOptions,
  UseQueryOptions,
  UseQueryReturn,
} from './adapters/vue/composables/reactive-query.js'
export type { RestClientOption, RestQueryContext } from './adapters/vue/composables/rest-query.js'
export { useInfiniteRestQuery } from './adapters/vue/composables/useInfiniteRestQuery.js'
export type {
  UseInfiniteRestQueryOptions,
  UseInfiniteRestQueryReturn,
} from './adapters/vue/composables/useInfiniteRestQuery.js'
export { useRestQuery } from './adapters/vue/composables/useRestQuery.js'
export type { UseRestQueryOptions, UseRestQueryReturn } from './adapters/vue/composables/useRestQuery.js'
export { useRpcEvent } from './adapters/vue/composables/useRpcEvent.js'
export { useRpcQuery } from './adapters/vue/composables/useRpcQuery.js'
export type { RpcQueryContext, UseRpcQueryOptions, UseRpcQueryReturn } from './adapters/vue/composables/useRpcQuery.js'
export { useTransaction } from './adapters/vue/composables/useTransaction.js'
export type { UseTransactionReturn } from './adapters/vue/composables/useTransaction.js'
export { useTransactionListener } from './adapters/vue/composables/useTransactionListener.js'
export type {
  TransactionListenerOptions,
  UseTransactionListenerReturn,
} from './adapters/vue/composables/useTransactionListener.js'
export { useDiagnosis } from './adapters/vue/composables/useDiagnosis.js'
export type { UseDiagnosisReturn } from './adapters/vue/composables/useDiagnosis.js'
export { useTransactionStatus } from './adapters/vue/composables/useTransactionStatus.js'
export type { UseTransactionStatusReturn } from './adapters/vue/composables/useTransactionStatus.js'
export { useBalance } from './adapters/vue/composables/useBalance.js'
export type { UseBalanceReturn } from './adapters/vue/composables/useBalance.js'
export { usePayouts } from './adapters/vue/composables/usePayouts.js'
export type { PayoutQueue, UsePayoutsReturn } from './adapters/vue/composables/usePayouts.js'
export { useSharing } from './adapters/vue/composables/useSharing.js'
export type { UseSharingReturn } from './adapters/vue/composables/useSharing.js'
export type { Sharing, SharingState } from './engine/features/sharing.js'
export { useTransfers } from './adapters/vue/composables/useTransfers.js'
export type { UseTransfersReturn } from './adapters/vue/composables/useTransfers.js'
export { useUtxo } from './adapters/vue/composables/useUtxo.js'
export type { UseUtxoReturn } from './adapters/vue/composables/useUtxo.js'
export type { InvalidEntry, InvalidReason } from './streams/utxos/store/store.js'
export { useVueChain } from './adapters/vue/composables/useVueChain.js'
export type { UseVueChainReturn } from './adapters/vue/composables/useVueChain.js'
export { useWallet } from './adapters/vue/composables/useWallet.js'
export type { UseWalletReturn } from './adapters/vue/composables/useWallet.js'

// Queries
export type {
  QueryKey,
  InfiniteQueryOptions,
  QueryFunctionContext,
  QueryOptions,
  QueryPages,
  QuerySnapshot,
  RefetchInterval,
} from './query/options.js'
export type { QueryState, QueryStatus } from './query/watched-query.js'

// Components
export { ConnectWallet } from './adapters/vue/components/ConnectWallet.js'
export type { ConnectWalletProps } from './adapters/vue/components/ConnectWallet.js'
export type { ConnectWalletSlots, TriggerState } from './adapters/vue/components/connect-wallet/part.js'
export type { ConnectWalletTexts } from './adapters/vue/components/connect-wallet/texts.js'
export type { WalletOption } from './adapters/vue/components/connect-wallet/dialog-model.js'

// Transfer of server-rendered REST responses to the browser, and records as JSON
export { fromLosslessJson, toLosslessJson } from './model/lossless-json.js'

// The engine
export type { ChainEngine } from './engine/engine.js'
export type { AbortOptions } from './errors/abort-options.js'
export type { ConnectOptions } from './engine/connection-control.js'
export type { ChainEngineOptions, ChainPorts, RpcOptions, SharedOptions } from './engine/options.js'

// Flight recorder and metrics
export { createRecorder } from './engine/recorder/create-recorder.js'
export type { RecorderOptions } from './engine/recorder/create-recorder.js'
export type { Recorder, FlightRecord } from './engine/recorder/recorder.js'
export type { ChainMetrics } from './engine/recorder/metrics.js'
export type { Recording } from './engine/recorder/recording.js'

// Diagnosis
export type { Diagnosis, DiagnosisCheck } from './operations/diagnosis/report.js'

// Records of the streams
export type { Account, AccountAddress, AccountOptions, AccountScan, Accounts } from './streams/accounts/accounts.js'
export type { FollowedAddresses } from './streams/addresses.js'
export type {
  AcceptanceChange,
  AcceptanceRollback,
  AcceptedTransactionInfo,
  AcceptedTransactionsOptions,
  Gap,
} from './streams/acceptance/acceptance.js'
export type { PayoutRecord, PayoutRequest } from './streams/payouts/journal.js'
export type { PayoutState } from './streams/payouts/payouts.js'
export type { TransferEntry } from './streams/transfers/history/entry.js'
export type { TransferHistoryState } from './streams/transfers/history/state.js'
export type { Transfer } from './streams/transfers/transfer.js'
export type { Blocks } from './streams/follow-blocks.js'
export type { HeartbeatOptions, ReconnectOptions } from './streams/connection/policy.js'
export type { ConnectionState, RpcConnectionState } from './streams/connection/state.js'
export type { RpcEventHandler } from './streams/handlers.js'
export type { SubscriptionMethods } from './streams/subscription-methods.js'
export type { ServerState } from './streams/session/server-state.js'
export type { TransactionPhase, TransactionStatus, TransactionStatusOptions } from './streams/status/status.js'
export type {
  Balance,
  BalanceState,
  Freshness,
  StaleReason,
  UtxoOptions,
  UtxoState,
} from './streams/utxos/view/state.js'
export type { InterruptedPayment } from './streams/wallet/interrupted.js'
export type { WalletStatus, WalletSession } from './streams/wallet/wallet-session.js'
export type { WasmState, WasmStatus } from './streams/wasm.js'

// The indexer (REST)
export type { ChainRestClient } from './rest/client.js'
export type { ChainRestOptions, ChainRestRequestOptions } from './rest/options.js'

// The node's records
export type {
  BlockDagInfo,
  ConnectedPeerInfo,
  NotificationScope,
  PeerAddress,
  RpcBlock,
  RpcEventMap,
  RpcHeader,
  RpcMempoolEntry,
  RpcResponse,
  RpcTransaction,
  RpcTransactionInput,
  RpcTransactionOutput,
  VirtualChainResult,
} from './node/messages/records.js'
export type {
  ServerInfo,
  BalanceResult,
  MempoolEntry,
  FeeEstimate,
  GetBlocksOptions,
} from './operations/queries/records.js'
export type { RpcQueries } from './operations/queries/rpc-queries.js'

// Payments and keys
export type { DerivationPath, MnemonicToKeypairOptions } from './operations/keys/derivation.js'
export type {
  AccountPaymentSettings,
  CancelSettings,
  ConsolidateSettings,
  CreateTransactionSettings,
  PaymentOutput,
  PendingTx,
  PlannedSettings,
  RestoreOptions,
  SendOptions,
  SendSettings,
  SweepSettings,
  TransactionSummary,
} from './operations/transactions/records.js'
export type { SpendingAccount } from './model/cosigning/spending-account.js'
export type { TransactionSigner, SdkSource, WasmUrl } from './sdk/port.js'

// Sign-in messages
export { createSignInMessage } from './operations/keys/sign-in-message.js'
export type { SignInFields } from './operations/keys/sign-in-message.js'
export type { SignInResult, VerifySignInOptions } from './operations/keys/verify-sign-in.js'

// Domain types
export type { BlockInfo } from './model/block.js'
export type { RpcEvent, RpcEventType } from './model/event.js'
export type { DerivedKey, KeypairInfo, MnemonicInfo, SignMessageResult } from './model/keys.js'
export { AVAILABLE_NETWORKS, NETWORKS, isChainNetwork } from './model/network.js'
export type { ChainNetwork, CurrencyUnit, NetworkParams, RpcEncoding } from './model/network.js'
export type { SerializedTransaction } from './errors/serialized-transaction.js'
export type { TransactionLike } from './model/serialized-transaction.js'
export type { Transaction, TransactionInput, TransactionOutput } from './model/transaction.js'
export type { Outpoint, ScriptPublicKey, UtxoBalance, UtxoEntry } from './model/utxo.js'
export type { UtxoSource } from './model/utxo-source/source.js'

// Ports, to replace the outside in tests or on other platforms
export type { ChainLogger, Platform, PlatformStorage } from './platform/port.js'
export type {
  WalletProvider,
  WalletInfo,
  WalletBalance,
  WalletSendOptions,
  WalletSignInput,
  WalletSignPsktOptions,
  WalletOutput,
  Wallet,
} from './wallets/port.js'

// Errors
export { ChainError } from './errors/chain-error.js'
export type { ChainErrorCode, ChainErrorOptions, FailedOutcome, SubmissionOutcome } from './errors/chain-error.js'
export { ChainCryptoError } from './errors/crypto-error.js'
export type { ChainCryptoErrorCode } from './errors/crypto-error.js'
export { isFeeTooHigh, isInsufficientFunds, isPartiallySubmitted, isOutputTooSmall } from './errors/payment-errors.js'
export type {
  FeeTooHighError,
  InsufficientFundsError,
  PartiallySubmittedError,
  OutputTooSmallError,
} from './errors/payment-errors.js'
export { ChainNotReadyError } from './errors/not-ready-error.js'
export type { ChainNotReadyErrorCode } from './errors/not-ready-error.js'
export { ChainRestError } from './errors/rest-error.js'
export type { ChainRestErrorCode } from './errors/rest-error.js'
export { ChainRpcError } from './errors/rpc-error.js'
export type { ChainRpcErrorCode, RejectReason } from './errors/rpc-error.js'
export { ChainWalletError } from './errors/wallet-error.js'
export type { ChainWalletErrorCode } from './errors/wallet-error.js'

// Records of the indexer; `vue-chain/rest` has all of them
export type {
  ChainRestTransactionAcceptance,
  ChainRestTxSearch,
  ChainRestTxSearchAcceptingBlueScores,
  ChainRestVcBlock,
  ChainRestVcTx,
  ChainRestVcTxInput,
  ChainRestVcTxOutput,
} from './rest/records/acceptance.js'
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
} from './rest/records/addresses.js'
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
} from './rest/records/blocks.js'
export type {
  ChainRestChaindInfoResponse,
  ChainRestChaindResponse,
  ChainRestDBCheckStatus,
  ChainRestHealthResponse,
} from './rest/records/health.js'
export type {
  ChainRestBlockRewardResponse,
  ChainRestBlockdagResponse,
  ChainRestBlueScoreResponse,
  ChainRestCoinSupplyResponse,
  ChainRestHalvingResponse,
  ChainRestHashrateHistoryResponse,
  ChainRestHashrateResponse,
  ChainRestMarketCapResponse,
  ChainRestMaxHashrateResponse,
  ChainRestPriceResponse,
} from './rest/records/network.js'
export type {
  ChainRestSubmitTransactionRequest,
  ChainRestSubmitTransactionResponse,
  ChainRestSubmitTxInput,
  ChainRestSubmitTxModel,
  ChainRestSubmitTxOutpoint,
  ChainRestSubmitTxOutput,
  ChainRestSubmitTxScriptPublicKey,
  ChainRestTxMass,
} from './rest/records/submission.js'
export type {
  ChainRestResolvePreviousOutpoints,
  ChainRestTransaction,
  ChainRestTransactionCountResponse,
} from './rest/records/transactions.js'

// Flight recorder and metrics
export { toPrometheus } from './engine/recorder/to-prometheus.js'

// Sign-in messages
export { verifySignInMessage } from './engine/sign-in.js'

// Domain functions and constants
export { isValidAddress } from './model/address.js'
export { SOMPI_PER_KASPA, kaspaToSompi, sompiToKaspa, sompiToKaspaString } from './model/amount.js'
export { isMature } from './model/spendable.js'

// Errors
export { isHistoryGap } from './errors/history-gap.js'
export type { HistoryGap, HistoryGapError } from './errors/history-gap.js'
