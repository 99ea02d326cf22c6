import { computed, type ComputedRef } from 'vue'
import type { ChainNetwork } from '../../../../model/network.js'
import { useStream } from '../../bridges/stream-to-ref.js'
import { useWallet, type UseWalletReturn } from '../../composables/useWallet.js'
import { useCore } from '../../plugin/core.js'
import type { TriggerState } from './slots.js'

/** The wallet, held against the network that the page works on. */
export interface Expectation {
  readonly wallet: UseWalletReturn
  /** The network that the wallet should be on; null where any will do. */
  readonly expected: ComputedRef<ChainNetwork | null>
  /** Whether it is known to be on another one. */
  readonly isElsewhere: () => boolean
  readonly state: ComputedRef<TriggerState>
}

/** `network` is what the component was told: the app's own network where that is undefined. */
export function useExpectation(network: () => ChainNetwork | null | undefined): Expectation {
  const core = useCore('ConnectWallet')
  const wallet = useWallet()
  const own = useStream(core.network$, core.options.network)
  const expected = computed(() => {
    const told = network()
    return told === undefined ? own.value : told
  })
  const isElsewhere = (): boolean => {
    const at = wallet.network.value
    return at !== null && expected.value !== null && at !== expected.value
  }
  return {
    wallet,
    expected,
    isElsewhere,
    state: computed(() => (wallet.isConnected.value && isElsewhere() ? 'wrong-network' : wallet.status.value)),
  }
}
