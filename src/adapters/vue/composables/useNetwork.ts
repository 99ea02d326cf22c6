import { computed, type ComputedRef, type Ref } from 'vue'
import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../../model/network.js'
import { UNKNOWN_SERVER } from '../../../streams/session/server-state.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useCore } from '../plugin/core.js'
import { useVirtualDaaScore } from './virtual-daa-score.js'

export interface UseNetworkReturn {
  /** The configured network. */
  readonly currentNetwork: Readonly<Ref<ChainNetwork>>
  /** The network id reported by the node; null until known. */
  readonly networkId: Readonly<Ref<string | null>>
  readonly isMainnet: ComputedRef<boolean>
  readonly isTestnet: ComputedRef<boolean>
  /** The virtual DAA score, live; 0n until known. */
  readonly daaScore: Readonly<Ref<bigint>>
  /**
   * Switches the app to another network, and connects to it if connected or connecting. UTXO trackers, listeners and
   * cursors are reset; the wallet is not. Without `url`: the network's resolver, or the local devnode.
   */
  readonly switchNetwork: (network: ChainNetwork, options?: { readonly url?: string | undefined }) => Promise<void>
  readonly availableNetworks: readonly ChainNetwork[]
}

/** The current network, and the switch to another. Shared by all calls of the app. */
export function useNetwork(): UseNetworkReturn {
  const core = useCore('useNetwork')
  const currentNetwork = useStream(core.network$, core.options.network)
  const server = useStream(core.server$, UNKNOWN_SERVER)
  return {
    currentNetwork,
    networkId: computed(() => server.value.networkId),
    isMainnet: computed(() => currentNetwork.value === 'mainnet'),
    isTestnet: computed(() => currentNetwork.value.startsWith('testnet')),
    daaScore: useVirtualDaaScore(core),
    switchNetwork: (network, options) => core.switchNetwork(network, options),
    availableNetworks: AVAILABLE_NETWORKS,
  }
}
