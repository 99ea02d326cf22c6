import { computed, type ComputedRef, type Ref } from 'vue'
import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../../model/network.js'
import { UNKNOWN_SERVER } from '../../../streams/session/server-facts.js'
import { useStream } from '../bridges/stream-to-ref.js'
import { useCore } from '../plugin/core.js'
import { useVirtualDaaScore } from './virtual-daa-score.js'

export interface UseNetworkReturn {
  /** The network that is sought or connected to. */
  readonly currentNetwork: Readonly<Ref<ChainNetwork>>
  /** What the node calls its network; null until it has said. */
  readonly networkId: Readonly<Ref<string | null>>
  readonly isMainnet: ComputedRef<boolean>
  readonly isTestnet: ComputedRef<boolean>
  /** The virtual DAA score, live; 0n until the node has said. */
  readonly daaScore: Readonly<Ref<bigint>>
  /**
   * Makes another network the app's own, and connects to it where a connection was wanted. Ledgers, listeners and cursors
   * start anew; the wallet stays. Without `url`: the network's resolver, or the local devnode.
   */
  readonly switchNetwork: (network: ChainNetwork, options?: { readonly url?: string | undefined }) => Promise<void>
  readonly availableNetworks: readonly ChainNetwork[]
}

/** The network at hand, and the way to another. It belongs to the app: every call sees the same. */
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
