/** The front door, for Vue apps: the plugin, the composables, the types they speak of, and the errors. */

// The plugin
export { VueChain } from './adapters/vue/plugin/plugin.js'
export type { VueChainOptions } from './adapters/vue/plugin/options.js'

// Composables
export { useBlockListener } from './adapters/vue/composables/useBlockListener.js'
export { useChain } from './adapters/vue/composables/useChain.js'
export { useChainEngine } from './adapters/vue/composables/useChainEngine.js'
export { useCrypto } from './adapters/vue/composables/useCrypto.js'
export { useNetwork } from './adapters/vue/composables/useNetwork.js'
export { useRpc } from './adapters/vue/composables/useRpc.js'
export { useRpcEvent } from './adapters/vue/composables/useRpcEvent.js'
export { useRpcQuery } from './adapters/vue/composables/useRpcQuery.js'
export { useTransaction } from './adapters/vue/composables/useTransaction.js'
export { useTransactionListener } from './adapters/vue/composables/useTransactionListener.js'
export { useTransactionStatus } from './adapters/vue/composables/useTransactionStatus.js'
export { useUtxo } from './adapters/vue/composables/useUtxo.js'
export { useVueChain } from './adapters/vue/composables/useVueChain.js'

// What they return and take
export type { BlockListenerOptions, UseBlockListenerReturn } from './adapters/vue/composables/useBlockListener.js'
export type { UseChainReturn } from './adapters/vue/composables/useChain.js'
export type { UseCryptoReturn } from './adapters/vue/composables/useCrypto.js'
export type { UseNetworkReturn } from './adapters/vue/composables/useNetwork.js'
export type { UseRpcReturn } from './adapters/vue/composables/useRpc.js'
export type { RpcQueryOptions, UseRpcQueryReturn } from './adapters/vue/composables/useRpcQuery.js'
export type { UseTransactionReturn } from './adapters/vue/composables/useTransaction.js'
export type {
  TransactionListenerOptions,
  UseTransactionListenerReturn,
} from './adapters/vue/composables/useTransactionListener.js'
export type { UseTransactionStatusReturn } from './adapters/vue/composables/useTransactionStatus.js'
export type { UseUtxoReturn } from './adapters/vue/composables/useUtxo.js'
export type { UseVueChainReturn } from './adapters/vue/composables/useVueChain.js'

// The engine
export type { ConnectionControl } from './engine/connection-control.js'
export type { ChainEngine } from './engine/engine.js'
export type { ChainEngineOptions, ChainPorts, RpcOptions } from './engine/options.js'
export type { ChainLogger } from './platform/port.js'
export type { AcceptanceChange, AcceptedTransactionInfo, Gap } from './streams/acceptance/change.js'
export type { HeartbeatOptions, ReconnectOptions } from './streams/connection/policy.js'
export type { ConnectionState, RpcConnectionState } from './streams/connection/state.js'
export type { RpcEventHandler } from './streams/handlers.js'
export type { RpcQueryState, RpcQueryStatus } from './streams/rpc-query.js'
export type { ScopeVerbs } from './streams/scope-verbs.js'
export type { NodeHealth, ServerState } from './streams/session/server-state.js'
export type { TransactionPhase, TransactionStatus, TransactionStatusOptions } from './streams/status/status.js'
export type { Freshness, StaleReason, UtxoLedger, UtxoOptions, UtxoState } from './streams/utxos/state.js'
export type { WasmState, WasmStatus } from './streams/wasm-state.js'

// The node's records
export type * from './node/messages/records.js'
export type { CallOptions } from './operations/queries/call.js'
export type * from './operations/queries/records.js'
export type { RpcQueries, VirtualChainV2Options } from './operations/queries/rpc-queries.js'

// Payments and keys
export type { DerivationPath, DerivePublicKeysOptions, MnemonicToKeypairOptions } from './operations/keys/derivation.js'
export type { KeyOperations } from './operations/keys/keys.js'
export type {
  CreateTransactionSettings,
  PaymentOutput,
  PendingTx,
  TransactionSummary,
} from './operations/transactions/records.js'

// The field's nouns
export { SOMPI_PER_KASPA, kaspaToSompi, sompiToKaspa, sompiToKaspaString } from './model/amount.js'
export type { BlockInfo } from './model/block-info.js'
export type { RpcEvent, RpcEventType } from './model/event.js'
export type { DerivedKey, KeypairInfo, MnemonicInfo, SignMessageResult } from './model/key.js'
export { isMature } from './model/maturity.js'
export { AVAILABLE_NETWORKS, NETWORKS, isChainNetwork } from './model/network.js'
export type { ChainNetwork, CurrencyUnit, NetworkParams, RpcEncoding } from './model/network.js'
export type { SerializedTransaction, TransactionLike } from './model/serialized-transaction.js'
export type { Transaction, TransactionInput, TransactionOutput } from './model/transaction.js'
export type { Outpoint, ScriptPublicKey, UtxoBalance, UtxoEntry } from './model/utxo.js'

// Errors
export { ChainError } from './errors/chain-error.js'
export type { ChainErrorCode, ErrorDetails } from './errors/chain-error.js'
export { ChainCryptoError } from './errors/crypto-error.js'
export type { ChainCryptoErrorCode } from './errors/crypto-error.js'
export { ChainNotReadyError } from './errors/not-ready-error.js'
export type { ChainNotReadyErrorCode } from './errors/not-ready-error.js'
export { ChainRestError } from './errors/rest-error.js'
export type { ChainRestErrorCode } from './errors/rest-error.js'
export { ChainRpcError } from './errors/rpc-error.js'
export type { ChainRpcErrorCode, RejectReason } from './errors/rpc-error.js'
export { ChainWalletError } from './errors/wallet-error.js'
export type { ChainWalletErrorCode } from './errors/wallet-error.js'
