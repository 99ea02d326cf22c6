import type { PageWindow } from '../page.js'
import { moveTo } from './asks.js'
import { standingOf, type Kasware } from './extension.js'

/** What the user does in the wallet's own windows, and time does by itself. */
export interface WalletAControls {
  lock(): void
  /** No page hears of it. */
  unlock(): void
  selectAccount(index: number): void
  /** To a network by the id that nodes use. */
  switchNetwork(network: string): void
  /** Takes the permission of this page's site away. */
  forgetSite(): void
  /** In sompi; nobody is told. */
  setBalance(confirmed: bigint, unconfirmed?: bigint): void
}

export function createControls(kasware: Kasware, { location: { origin } }: PageWindow): WalletAControls {
  const { vault, news } = kasware
  return {
    lock: () => {
      vault.update({ status: 'locked' })
      news.accounts([])
    },
    unlock: () => vault.update({ status: 'unlocked' }),
    selectAccount: (account) => {
      vault.update({ account })
      if (standingOf(vault, origin) === 'permitted') news.accounts([vault.address])
    },
    switchNetwork: (network) => moveTo(kasware, network),
    forgetSite: () => {
      news.accounts([])
      vault.forbid(origin)
    },
    setBalance: (confirmed, unconfirmed = 0n) => {
      kasware.balance = { confirmed, unconfirmed }
    },
  }
}
