/** Entry point without Vue: the engine, its streams, the REST client, the errors. */

// The engine
export { createChainEngine } from '../engine/engine.js'
export type { ChainEngine } from '../engine/engine.js'
export type {
  RestoreRecord,
  SerializedCall,
  SerializedInput,
  SerializedOutput,
  SerializedScript,
  SerializedTransaction,
} from '../errors/serialized-transaction.js'
export type { AbortOptions } from '../errors/abort-options.js'
export type { ConnectOptions, ConnectionControl } from '../engine/connection-control.js'
export type { Sharing, SharingReason, SharingState } from '../engine/features/sharing.js'
export type { ChainEngineOptions, ChainPorts, RpcOptions, SharedOptions } from '../engine/options.js'

// Flight recorder and metrics
export { createRecorder } from '../engine/recorder/create-recorder.js'
export type { RecorderOptions } from '../engine/recorder/create-recorder.js'
export type {
  Recorder,
  BackfillRecord,
  CallRecord,
  ConnectionRecord,
  DialRecord,
  EnvironmentRecord,
  FlightRecord,
  GapRecord,
  NotificationRecord,
  PaymentRecord,
  ResolverRecord,
  RestRecord,
  RollbackRecord,
  TimedRecord,
  TimerRecord,
  UtxosRecord,
  WalletRecord,
  WasmRecord,
} from '../engine/recorder/recorder.js'
export type { CallMetrics, ChainMetrics, NotificationMetrics, RestMetrics } from '../engine/recorder/metrics.js'
export type {
  RecordedEvent,
  RecordedFrames,
  RecordedOptions,
  RecordedSocket,
  Recording,
} from '../engine/recorder/recording.js'
export type { RecordedEndpoint, RestPath as RecordedPath } from '../engine/recorder/masks.js'
export { toPrometheus } from '../engine/recorder/to-prometheus.js'

// Diagnosis
export type {
  CheckId,
  CheckStatus,
  DiagnoseOptions,
  Diagnosis,
  DiagnosisCheck,
} from '../operations/diagnosis/report.js'

// Records of the streams
export type {
  Account,
  AccountAddress,
  AccountOptions,
  AccountScan,
  Accounts,
  AddressChainOptions,
  NextAddressOptions,
  ScanOptions,
} from './accounts/accounts.js'
export type { AddressSource, FollowedAddresses } from './addresses.js'
export type { AcceptedTransactions } from './acceptance/accepted-transactions.js'
export type {
  AcceptanceChange,
  AcceptanceRollback,
  AcceptedTransactionInfo,
  AcceptedTransactionsOptions,
  Gap,
  SendersResolved,
  TransactionChange,
} from './acceptance/acceptance.js'
export type {
  ChainBatch,
  ChainBlock,
  ChainInput,
  ChainOutput,
  ChainRollback,
  ChainContractInput,
  ChainContractOutput,
  ChainContractTransaction,
  ChainTransaction,
  ChainTransactionId,
} from './chain/batch.js'
export type { ChainBatches, ChainBatches$, FollowChain } from './chain/follow-chain.js'
export type { ChainDetail, FollowChainOptions } from './chain/options.js'
export type { ChainProblem } from './chain/attempts.js'
export type {
  FollowTransfers,
  TransferBatches,
  FollowTransfersOptions,
  TransferAddresses,
} from './transfers/follow-transfers.js'
export type { FindCredits, StoredCredit } from './transfers/known-outputs.js'
export type { AddressOpening, FindOpenings } from './transfers/openings.js'
export type { TransferEntry } from './transfers/history/entry.js'
export type { TransferHistory, TransferHistoryOptions, TransferHistoryState } from './transfers/history/state.js'
export { transferKey } from './transfers/transfer.js'
export type { Transfer, TransferBatch, TransferTransaction } from './transfers/transfer.js'
export { createWatchedAddresses } from './transfers/watched-addresses.js'
export type { AddOptions, AddressChange, WatchedAddresses } from './transfers/watched-addresses.js'
export type { HeartbeatOptions, ReconnectOptions } from './connection/policy.js'
export type { ConnectionState, RpcConnectionState } from './connection/state.js'
export type { Handlers, RpcEventHandler } from './handlers.js'
export type { SubscriptionMethods } from './subscription-methods.js'
export type { EventStreams } from './session/node-link.js'
export type { NodeHealth, ServerState } from './session/server-state.js'
export type { FollowTransaction } from './status/transaction-status.js'
export type { TransactionPhase, TransactionStatus, TransactionStatusOptions } from './status/status.js'
export type { InvalidEntries, InvalidEntry, InvalidReason } from './utxos/store/store.js'
export type {
  Balance,
  BalanceState,
  FollowBalances,
  FollowUtxos,
  Freshness,
  StaleReason,
  UtxoTracker,
  UtxoOptions,
  UtxoState,
} from './utxos/view/state.js'
export type { WaitOptions } from './utxos/view/wait.js'
export type { InterruptedPayment } from './wallet/interrupted.js'
export type { WalletOperation, WalletState, WalletStatus, WalletSession } from './wallet/wallet-session.js'
export type { WasmControl, WasmState, WasmStatus } from './wasm.js'

// The indexer (REST)
export { createRestClient } from '../rest/client.js'
export type { ChainRestClient } from '../rest/client.js'
export type { ChainRestOptions, ChainRestRequestOptions } from '../rest/options.js'
export type {
  AddressTransactionsOptions,
  AddressTransactionsPageOptions,
} from '../rest/endpoints/address-transactions.js'
export type { AddressDistributionOptions, TopAddressesOptions } from '../rest/endpoints/addresses.js'
export type { BlocksFromBlueScoreOptions, GetRestBlockOptions, GetRestBlocksOptions } from '../rest/endpoints/blocks.js'
export type {
  ChainRestHalvingField,
  HashrateHistoryForOptions,
  HashrateHistoryOptions,
} from '../rest/endpoints/info.js'
export type { RestOperations, ChainRestRawRequestOptions } from '../rest/endpoints/operations.js'
export type {
  GetTransactionOptions,
  SearchTransactionsOptions,
  SubmitTransactionOptions,
} from '../rest/endpoints/transactions.js'
export type { GetVirtualChainOptions, VirtualChainFromBlockOptions } from '../rest/endpoints/virtual-chain.js'

// The node's records
export type {
  BlockDagInfo,
  ConnectedPeerInfo,
  DataVerbosity,
  NodeNotification,
  NotificationData,
  NotificationMap,
  NotificationScope,
  NotificationType,
  PeerAddress,
  RpcAcceptingBlock,
  RpcBlock,
  RpcEventMap,
  RpcHeader,
  RpcMempoolEntry,
  RpcMethod,
  RpcRawBlock,
  RpcRawHeader,
  RpcRequest,
  RpcRequestMap,
  RpcResponse,
  RpcResponseMap,
  RpcTransaction,
  RpcTransactionInput,
  RpcTransactionOutput,
  VirtualChainResult,
  VirtualChainV2Result,
} from '../node/messages/records.js'
export type {
  ServerInfo,
  BalanceResult,
  MempoolEntry,
  FeeBucket,
  FeeEstimate,
  GetBlocksOptions,
} from '../operations/queries/records.js'
export type { MempoolEntriesOfAddress, RpcQueries, VirtualChainV2Options } from '../operations/queries/rpc-queries.js'

// Payments and keys
export type {
  DerivationPath,
  DeriveExtendedPublicKeyOptions,
  DerivePublicKeysOptions,
  MnemonicToKeypairOptions,
} from '../operations/keys/derivation.js'
export type { KeyOperations, VerificationLoader } from '../operations/keys/keys.js'
export type { SignedMessage } from '../operations/keys/messages.js'
export type { VerificationOperations, VerifyMessage } from '../operations/keys/verification.js'
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
  SigningSettings,
  SweepSettings,
  TransactionSummary,
} from '../operations/transactions/records.js'
export type { SpendingAccount } from '../model/cosigning/spending-account.js'
export type { SignedAmountsStore } from '../operations/transactions/sign/signed-amounts.js'
export type {
  SignatureRequest,
  SignedCall,
  SignerContext,
  SignerLimits,
  TransactionSigner,
  KeyAccount,
  KeyChain,
  KeyPath,
  MnemonicSecret,
  PublicKeyForms,
  SdkPort,
  SdkSource,
  SigningRequest,
  WasmSource,
  WasmUrl,
} from '../sdk/port.js'
export type { FeeRateName } from '../operations/transactions/plan/fee.js'
export type {
  CreatedTransactions,
  SentTransactions,
  TransactionOperations,
} from '../operations/transactions/transaction-operations.js'

// Sign-in messages
export { verifySignInMessage } from '../engine/sign-in.js'
export { createSignInMessage } from '../operations/keys/sign-in-message.js'
export type { SignInFields } from '../operations/keys/sign-in-message.js'
export type { SignInRefusal, SignInResult, VerifySignInOptions } from '../operations/keys/verify-sign-in.js'

// Domain types
export { isValidAddress } from '../model/address.js'
export { SOMPI_PER_KASPA, kaspaToSompi, sompiToKaspa, sompiToKaspaString } from '../model/amount.js'
export type { BlockInfo } from '../model/block.js'
export type { RpcEvent, RpcEventType } from '../model/event.js'
export type { DerivedKey, KeypairInfo, MnemonicInfo, SignMessageResult } from '../model/keys.js'
export { fromLosslessJson, toLosslessJson } from '../model/lossless-json.js'
export { isMature } from '../model/spendable.js'
export { AVAILABLE_NETWORKS, NETWORKS, isChainNetwork } from '../model/network.js'
export type { AddressPrefix, ChainNetwork, CurrencyUnit, NetworkParams, RpcEncoding } from '../model/network.js'
export type { PaymentRequestSettings, PaymentRequests, RequestedPayment } from './requests/requests.js'
export type { PaymentRequestState, PaymentRequestStatus, RequestFreshness, RequestPayment } from './requests/state.js'
export type { StoredPaymentRequest } from './requests/terms.js'
export { parsePaymentUri, toPaymentUri } from '../model/payment-uri.js'
export type { PaymentUri, PaymentUriFields } from '../model/payment-uri.js'
export type { LocatorEntry } from '../model/chain-cursor/locator.js'
export type { TransactionLike } from '../model/serialized-transaction.js'
export type { CovenantBinding, Transaction, TransactionInput, TransactionOutput } from '../model/transaction.js'
export type { Outpoint, ScriptPublicKey, UtxoBalance, UtxoEntry } from '../model/utxo.js'
export type { UtxoSource } from '../model/utxo-source/source.js'

// Ports, to replace the outside in tests or on other platforms
export type {
  ChainLogger,
  LogLine,
  Platform,
  PlatformSocket,
  PlatformStorage,
  PlatformTabs,
  SocketOptions,
} from '../platform/port.js'
export type { UtxoColumns, AddressScript } from '../model/utxo-columns/columns.js'
export type { ClosedReason, Endpoint as NodeEndpoint, NodeConnection, NodePort } from '../node/port.js'
export type {
  WalletProvider,
  WalletInfo,
  WalletBalance,
  ReportedBalance,
  WalletSendOptions,
  WalletSignInput,
  WalletSignPsktOptions,
  WalletAccount,
  WalletSnapshot,
  WalletOutput,
  WalletPayment,
  WalletInputToSign,
  WalletSignRequest,
  WalletResult,
  Wallet,
  WalletHint,
  WalletsPort,
} from '../wallets/port.js'

// Errors
export { ChainError } from '../errors/chain-error.js'
export type { ChainErrorCode, ChainErrorOptions, FailedOutcome, SubmissionOutcome } from '../errors/chain-error.js'
export { ChainCryptoError } from '../errors/crypto-error.js'
export type { ChainCryptoErrorCode } from '../errors/crypto-error.js'
export { isFeeTooHigh, isInsufficientFunds, isPartiallySubmitted, isOutputTooSmall } from '../errors/payment-errors.js'
export type {
  FeeBounds,
  FeeTooHighError,
  FundsSummary,
  InsufficientFundsError,
  PartiallySubmittedError,
  SubmissionProgress,
  OutputLimits,
  OutputTooSmallError,
} from '../errors/payment-errors.js'
export { isHistoryGap } from '../errors/history-gap.js'
export type { HistoryGap, HistoryGapError } from '../errors/history-gap.js'
export type { SubmissionKnown } from '../model/submission-reply.js'
export { ChainNotReadyError } from '../errors/not-ready-error.js'
export type { ChainNotReadyErrorCode } from '../errors/not-ready-error.js'
export { ChainRestError } from '../errors/rest-error.js'
export type { ChainRestErrorCode, ChainRestErrorOptions } from '../errors/rest-error.js'
export { ChainRpcError } from '../errors/rpc-error.js'
export type { ChainRpcErrorCode, ChainRpcErrorOptions, RejectReason } from '../errors/rpc-error.js'
export { ChainWalletError } from '../errors/wallet-error.js'
export type { ChainWalletErrorCode, ChainWalletErrorOptions } from '../errors/wallet-error.js'
