import { computed, type ComputedRef } from 'vue'
import { isAddressOnNetwork } from '../../../../model/network-of-address.js'
import type { ChainNetwork } from '../../../../model/network.js'
import { useStream } from '../../bridges/stream-to-ref.js'
import { useWallet, type UseWalletReturn } from '../../composables/useWallet.js'
import { useCore } from '../../plugin/core.js'
import type { TriggerState } from './slots.js'

/** The wallet compared with the expected network. */
export interface NetworkCheck {
  readonly wallet: UseWalletReturn
  /** The expected network; null accepts any. */
  readonly expected: ComputedRef<ChainNetwork | null>
  /** Whether the wallet is on another network, by its address where it reports none. */
  readonly isOnWrongNetwork: () => boolean
  readonly state: ComputedRef<TriggerState>
}

/** `network` is the component's prop; undefined stands for the app's network. */
export function useNetworkCheck(network: () => ChainNetwork | null | undefined): NetworkCheck {
  const core = useCore('ConnectWallet')
  const wallet = useWallet()
  const appNetwork = useStream(core.network$, core.options.network)
  const expected = computed(() => {
    const requested = network()
    return requested === undefined ? appNetwork.value : requested
  })
  const isOnWrongNetwork = (): boolean => {
    const [current, address] = [wallet.network.value, wallet.address.value]
    if (expected.value === null || address === null) return false
    return current === null ? !isAddressOnNetwork(address, expected.value) : current !== expected.value
  }
  return {
    wallet,
    expected,
    isOnWrongNetwork,
    state: computed(() => (wallet.isConnected.value && isOnWrongNetwork() ? 'wrong-network' : wallet.status.value)),
  }
}
