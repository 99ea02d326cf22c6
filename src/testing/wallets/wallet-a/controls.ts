import type { PageWindow } from '../page-window.js'
import { changeNetwork } from './prompting-methods.js'
import { siteAccessOf, type Kasware } from './extension.js'

/** The user's actions in the wallet's own window, and external changes. */
export interface WalletAControls {
  lock(): void
  /** Emits no event. */
  unlock(): void
  selectAccount(index: number): void
  /** `network` is an id, for example `testnet-10`. */
  switchNetwork(network: string): void
  /** Revokes the permission of this page's site. */
  forgetSite(): void
  /** In sompi; emits no event. */
  setBalance(confirmed: bigint, unconfirmed?: bigint): void
}

export function createControls(kasware: Kasware, { location: { origin } }: PageWindow): WalletAControls {
  const { accountState, notifier } = kasware
  return {
    lock: () => {
      accountState.update({ status: 'locked' })
      notifier.accounts([])
    },
    unlock: () => accountState.update({ status: 'unlocked' }),
    selectAccount: (account) => {
      accountState.update({ account })
      if (siteAccessOf(accountState, origin) === 'permitted') notifier.accounts([accountState.address])
    },
    switchNetwork: (network) => changeNetwork(kasware, network),
    forgetSite: () => {
      notifier.accounts([])
      accountState.revoke(origin)
    },
    setBalance: (confirmed, unconfirmed = 0n) => {
      kasware.balance = { confirmed, unconfirmed }
    },
  }
}
