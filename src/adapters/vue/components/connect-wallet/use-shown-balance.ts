import { map } from 'rxjs'
import { computed, type ComputedRef } from 'vue'
import type { ReportedBalance } from '../../../../wallets/port.js'
import { useStream } from '../../bridges/stream-to-ref.js'
import { useBalance } from '../../composables/useBalance.js'
import type { UseWalletReturn } from '../../composables/useWallet.js'
import { useCore } from '../../plugin/core.js'

/**
 * The balance of the wallet's address: tracked where the page is connected to a node of the wallet's network, else what
 * the wallet reports; null if unknown. Opens no connection.
 */
export function useShownBalance(wallet: UseWalletReturn): ComputedRef<ReportedBalance | null> {
  const core = useCore('ConnectWallet')
  const network = useStream(core.network$, core.options.network)
  const status = useStream(core.connection.state$.pipe(map((state) => state.status)), 'disconnected')
  const address = computed(() => {
    const isTrackable = status.value === 'connected' && wallet.network.value === network.value
    return isTrackable ? wallet.address.value : null
  })
  const { balance, freshness } = useBalance(address)
  const reported = computed(() => {
    const total = wallet.reportedBalance.value
    return wallet.balance.value ?? (total === null ? null : { total })
  })
  return computed(() => {
    if (address.value === null || freshness.value !== 'fresh') return reported.value
    const { mature, unconfirmed, immature, total } = balance.value
    return { confirmed: mature, unconfirmed: unconfirmed + immature, total }
  })
}
