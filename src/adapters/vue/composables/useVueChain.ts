import { useChain, type UseChainReturn } from './useChain.js'
import { useChainRest, type UseChainRestReturn } from './useChainRest.js'
import { useCrypto, type UseCryptoReturn } from './useCrypto.js'
import { useNetwork, type UseNetworkReturn } from './useNetwork.js'
import { useRpc, type UseRpcReturn } from './useRpc.js'
import { useSharing, type UseSharingReturn } from './useSharing.js'
import { useTransaction, type UseTransactionReturn } from './useTransaction.js'
import { useUtxo, type UseUtxoReturn } from './useUtxo.js'
import { useWallet, type UseWalletReturn } from './useWallet.js'

export interface UseVueChainReturn {
  readonly chain: UseChainReturn
  readonly rpc: UseRpcReturn
  readonly utxo: UseUtxoReturn
  readonly transaction: UseTransactionReturn
  readonly crypto: UseCryptoReturn
  readonly network: UseNetworkReturn
  readonly wallet: UseWalletReturn
  readonly rest: UseChainRestReturn
  readonly sharing: UseSharingReturn
}

/**
 * All composables in one call, for small apps and experiments. A composable subscribes only once its values are read.
 */
export const useVueChain = (): UseVueChainReturn => ({
  chain: useChain(),
  rpc: useRpc(),
  utxo: useUtxo(),
  transaction: useTransaction(),
  crypto: useCrypto(),
  network: useNetwork(),
  wallet: useWallet(),
  rest: useChainRest(),
  sharing: useSharing(),
})
