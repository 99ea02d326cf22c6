import type { AccountStateSource } from '../account-state.js'
import type { KaswareEmitter } from './emitter.js'
import { toKaswareName } from './networks.js'

/** KasWare's events to a page. Sites without permission get none, and unchanged values are not repeated. */
export interface KaswareNotifier {
  accounts(addresses: readonly string[]): void
  network(): void
}

export function createNotifier(
  emitter: KaswareEmitter,
  accountState: AccountStateSource,
  isPermitted: () => boolean,
): KaswareNotifier {
  // Set on page load regardless of permission, so that the first connect of a site emits nothing
  let address = accountState.state.status === 'unlocked' ? accountState.address : undefined
  let network = accountState.state.network
  return {
    accounts: (addresses) => {
      if (addresses[0] === address) return
      address = addresses[0]
      if (isPermitted()) emitter.emit('accountsChanged', [...addresses])
    },
    network: () => {
      if (accountState.state.network === network) return
      network = accountState.state.network
      if (isPermitted()) emitter.emit('networkChanged', toKaswareName(network))
    },
  }
}
