/** The front door, for Vue apps: the plugin, the composables, the types they speak of, and the errors. */

// The plugin
export { VueChain } from './adapters/vue/plugin/plugin.js'
export type { VueChainOptions } from './adapters/vue/plugin/options.js'

// Composables, what they take and what they return
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
export { useRestQuery } from './adapters/vue/composables/useRestQuery.js'
export type { UseRestQueryOptions, UseRestQueryReturn } from './adapters/vue/composables/useRestQuery.js'
export { useRpc } from './adapters/vue/composables/useRpc.js'
export type { UseRpcReturn } from './adapters/vue/composables/useRpc.js'
export { useRpcEvent } from './adapters/vue/composables/useRpcEvent.js'
export { useRpcQuery } from './adapters/vue/composables/useRpcQuery.js'
export type { RpcQueryOptions, UseRpcQueryReturn } from './adapters/vue/composables/useRpcQuery.js'
export { useTransaction } from './adapters/vue/composables/useTransaction.js'
export type { UseTransactionReturn } from './adapters/vue/composables/useTransaction.js'
export { useTransactionListener } from './adapters/vue/composables/useTransactionListener.js'
export type {
  TransactionListenerOptions,
  UseTransactionListenerReturn,
} from './adapters/vue/composables/useTransactionListener.js'
export { useTransactionStatus } from './adapters/vue/composables/useTransactionStatus.js'
export type { UseTransactionStatusReturn } from './adapters/vue/composables/useTransactionStatus.js'
export { useUtxo } from './adapters/vue/composables/useUtxo.js'
export type { UseUtxoReturn } from './adapters/vue/composables/useUtxo.js'
export { useVueChain } from './adapters/vue/composables/useVueChain.js'
export type { UseVueChainReturn } from './adapters/vue/composables/useVueChain.js'
export { useWallet } from './adapters/vue/composables/useWallet.js'
export type { UseWalletReturn } from './adapters/vue/composables/useWallet.js'

// Components
export { ConnectWallet } from './adapters/vue/components/ConnectWallet.js'
export type { ConnectWalletSlots, TriggerState } from './adapters/vue/components/connect-wallet/slots.js'
export type { ConnectWalletTexts } from './adapters/vue/components/connect-wallet/texts.js'
export type { WalletOption } from './adapters/vue/components/connect-wallet/wallet-option.js'

// Answers of the indexer, carried from a server's rendering to the page
export { dehydrateRest, hydrateRest } from './rest/hydration.js'

// Every type that needs no Vue: the other door has them too
export type * from './streams/index.js'

// The field's nouns
export { isValidAddress } from './model/address.js'
export { SOMPI_PER_KASPA, kaspaToSompi, sompiToKaspa, sompiToKaspaString } from './model/amount.js'
export { isMature } from './model/maturity.js'
export { AVAILABLE_NETWORKS, NETWORKS, isChainNetwork } from './model/network.js'

// Errors
export { ChainError } from './errors/chain-error.js'
export { ChainCryptoError } from './errors/crypto-error.js'
export { isInsufficientFunds } from './errors/insufficient-funds.js'
export { isInterrupted } from './errors/interrupted.js'
export { ChainNotReadyError } from './errors/not-ready-error.js'
export { isOutputTooSmall } from './errors/output-too-small.js'
export { ChainRestError } from './errors/rest-error.js'
export { ChainRpcError } from './errors/rpc-error.js'
export { ChainWalletError } from './errors/wallet-error.js'
