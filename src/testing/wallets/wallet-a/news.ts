import type { Vault } from '../vault.js'
import type { KaswareEmitter } from './emitter.js'
import { toKaswareName } from './networks.js'

/** What KasWare tells a page without being asked. Sites without permission hear nothing, and nobody hears a thing twice. */
export interface KaswareNews {
  accounts(addresses: readonly string[]): void
  network(): void
}

export function createNews(emitter: KaswareEmitter, vault: Vault, isPermitted: () => boolean): KaswareNews {
  // Filled in when the page loads, with permission or without: so the first connect of a site tells nothing
  let address = vault.state.status === 'unlocked' ? vault.address : undefined
  let network = vault.state.network
  return {
    accounts: (addresses) => {
      if (addresses[0] === address) return
      address = addresses[0]
      if (isPermitted()) emitter.emit('accountsChanged', [...addresses])
    },
    network: () => {
      if (vault.state.network === network) return
      network = vault.state.network
      if (isPermitted()) emitter.emit('networkChanged', toKaswareName(network))
    },
  }
}
