import { computed, type ComputedRef, type Ref } from 'vue'
import { AVAILABLE_NETWORKS, type ChainNetwork } from '../../../model/network.js'
import { UNKNOWN_SERVER } from '../../../streams/session/server-state.js'
import { useStream } from '../bridges/stream-refs.js'
import { useCore } from '../plugin/core.js'
import { map, merge, skip } from 'rxjs'
import { type CoreParts, feature } from '../../../engine/core-parts.js'
import { scores } from '../../../engine/features/node.js'
import { latestInFrames } from '../../../streams/bursts.js'

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

/** The virtual DAA score, updated at most once per frame while it is read; 0n until known for the network. */
export function useVirtualDaaScore(core: CoreParts): Readonly<Ref<bigint>> {
  const { virtualDaaScore$ } = feature(core, scores)
  const reset$ = core.network$.pipe(
    skip(1),
    map(() => 0n),
  )
  return useStream(merge(virtualDaaScore$, reset$).pipe(latestInFrames(core.platform.frames)), 0n)
}
