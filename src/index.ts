/** Entry point for Vue apps: plugin, composables, types and errors. */

// The plugin
export { VueChain } from './adapters/vue/plugin/plugin.js'
export type { RenderedFailure } from './rest/rendered-failure.js'
export type { HydrationEntry, HydrationStore } from './adapters/vue/plugin/hydration.js'
export type { VueChainOptions } from './adapters/vue/plugin/options.js'

// Composables with their options and return types
export type { Listening } from './adapters/vue/bridges/use-listening.js'
export type { RpcState } from './adapters/vue/composables/rpc-state.js'
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
export { queryOptions } from './adapters/vue/composables/query-options.js'
export type {
  PortableQueryOptions,
  UseInfiniteQueryOptions,
  UseQueryOptions,
} from './adapters/vue/composables/query-options.js'
export type { UseQueryReturn } from './adapters/vue/composables/query-refs.js'
export type { RestClientOption, RestQueryContext } from './adapters/vue/composables/rest-query.js'
export { useInfiniteRestQuery } from './adapters/vue/composables/useInfiniteRestQuery.js'
export type {
  UseInfiniteRestQueryOptions,
  UseInfiniteRestQueryReturn,
} from './adapters/vue/composables/useInfiniteRestQuery.js'
export { useRestQuery } from './adapters/vue/composables/useRestQuery.js'
export type { UseRestQueryOptions, UseRestQueryReturn } from './adapters/vue/composables/useRestQuery.js'
export { useRpc } from './adapters/vue/composables/useRpc.js'
export type { UseRpcReturn } from './adapters/vue/composables/useRpc.js'
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
export type { AddressesArgument } from './adapters/vue/bridges/addresses.js'
export { useBalance } from './adapters/vue/composables/useBalance.js'
export type { UseBalanceReturn } from './adapters/vue/composables/useBalance.js'
export { useTransfers } from './adapters/vue/composables/useTransfers.js'
export type { UseTransfersReturn } from './adapters/vue/composables/useTransfers.js'
export { useUtxo } from './adapters/vue/composables/useUtxo.js'
export type { UseUtxoReturn } from './adapters/vue/composables/useUtxo.js'
export type { InvalidEntry, InvalidReason } from './streams/utxos/invalid-entries.js'
export { useVueChain } from './adapters/vue/composables/useVueChain.js'
export type { UseVueChainReturn } from './adapters/vue/composables/useVueChain.js'
export { useWallet } from './adapters/vue/composables/useWallet.js'
export type { UseWalletReturn } from './adapters/vue/composables/useWallet.js'

// Queries
export type { QueryKey } from './query/key.js'
export type {
  InfiniteQueryOptions,
  QueryFunctionContext,
  QueryOptions,
  QueryPages,
  QuerySnapshot,
  RefetchInterval,
} from './query/options.js'
export type { QueryState, QueryStatus } from './query/state.js'

// Components
export { ConnectWallet } from './adapters/vue/components/ConnectWallet.js'
export type { ConnectWalletProps } from './adapters/vue/components/ConnectWallet.js'
export type { ConnectWalletSlots, TriggerState } from './adapters/vue/components/connect-wallet/slots.js'
export type { ConnectWalletTexts } from './adapters/vue/components/connect-wallet/texts.js'
export type { WalletOption } from './adapters/vue/components/connect-wallet/wallet-option.js'

// Transfer of server-rendered REST responses to the browser, and records as JSON
export { dehydrateRest, hydrateRest } from './rest/hydration.js'
export { fromLosslessJson, toLosslessJson } from './model/lossless-json.js'

// Types of the entry point without Vue
export type * from './streams/index.js'

// Flight recorder and metrics
export { createRecorder } from './engine/recorder/create-recorder.js'
export { toPrometheus } from './engine/recorder/to-prometheus.js'

// Sign-in messages
export { verifySignInMessage } from './engine/sign-in.js'
export { createSignInMessage } from './operations/keys/sign-in-message.js'

// Domain functions and constants
export { isValidAddress } from './model/address.js'
export { SOMPI_PER_KASPA, kaspaToSompi, sompiToKaspa, sompiToKaspaString } from './model/amount.js'
export { isMature } from './model/maturity.js'
export { AVAILABLE_NETWORKS, NETWORKS, isChainNetwork } from './model/network.js'

// Errors
export { ChainError } from './errors/chain-error.js'
export { ChainCryptoError } from './errors/crypto-error.js'
export { isFeeTooHigh } from './errors/fee-too-high.js'
export { isHistoryGap } from './errors/history-gap.js'
export type { HistoryGap, HistoryGapError } from './errors/history-gap.js'
export { isInsufficientFunds } from './errors/insufficient-funds.js'
export { isPartiallySubmitted } from './errors/partially-submitted.js'
export { isUnknownOutcome } from './operations/submission/unknown-outcome-error.js'
export { ChainNotReadyError } from './errors/not-ready-error.js'
export { isOutputTooSmall } from './errors/output-too-small.js'
export { ChainRestError } from './errors/rest-error.js'
export { ChainRpcError } from './errors/rpc-error.js'
export { ChainWalletError } from './errors/wallet-error.js'
