import type { KastleNews } from './news.js'
import { addressOf, isConnected, permissionOf, type Kastle } from './extension.js'
import { moveTo } from './move.js'

/** What the user does in the wallet's own windows, and time does by itself. */
export interface WalletBControls {
  /** No page hears of it. */
  lock(): void
  /** No page hears of it. */
  unlock(): void
  /** Selects another account, which may not know the site yet. */
  selectAccount(index: number): void
  switchNetwork(network: string): void
  /** Takes the permission of the selected account for this page's site away. */
  forgetSite(): void
  /** In sompi; nobody is told. */
  setBalance(sompi: bigint): void
  /** Posts messages as the extension does, for what else may come. */
  readonly news: KastleNews
}

export function createControls(kastle: Kastle): WalletBControls {
  const { vault, news } = kastle
  return {
    news,
    lock: () => vault.update({ status: 'locked' }),
    unlock: () => vault.update({ status: 'unlocked' }),
    selectAccount: (account) => {
      vault.update({ account })
      news.noise()
      news.host(isConnected(kastle))
      news.account(isConnected(kastle) ? addressOf(kastle) : null)
    },
    switchNetwork: (network) => moveTo(kastle, network),
    forgetSite: () => {
      vault.forbid(permissionOf(kastle))
      news.noise()
      news.host(false)
    },
    setBalance: (sompi) => {
      kastle.balance = sompi
    },
  }
}
