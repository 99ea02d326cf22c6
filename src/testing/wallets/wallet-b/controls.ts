import type { KastleNotifier } from './notifier.js'
import { addressOf, isConnected, permissionOf, changeNetwork, type Kastle } from './extension.js'

/** The user's actions in the wallet's own window, and external changes. */
export interface WalletBControls {
  /** Emits no event. */
  lock(): void
  /** Emits no event. */
  unlock(): void
  /** Selects another account, which may have no permission for the site. */
  selectAccount(index: number): void
  switchNetwork(network: string): void
  /** Replaces an address that is still of another network (`behavior.address`); emits no event. */
  updateAddress(): void
  /** Revokes the selected account's permission for this page's site. */
  forgetSite(): void
  /** In sompi; emits no event. */
  setBalance(sompi: bigint): void
  /** Posts the extension's messages directly. */
  readonly notifier: KastleNotifier
}

export function createControls(kastle: Kastle): WalletBControls {
  const { accountState, notifier } = kastle
  return {
    notifier,
    lock: () => accountState.update({ status: 'locked' }),
    unlock: () => accountState.update({ status: 'unlocked' }),
    selectAccount: (account) => {
      accountState.update({ account })
      notifier.noise()
      notifier.host(isConnected(kastle))
      notifier.account(isConnected(kastle) ? addressOf(kastle) : null)
    },
    switchNetwork: (network) => changeNetwork(kastle, network),
    updateAddress: () => {
      kastle.addressNetwork = accountState.state.network
    },
    forgetSite: () => {
      accountState.revoke(permissionOf(kastle))
      notifier.noise()
      notifier.host(false)
    },
    setBalance: (sompi) => {
      kastle.balance = sompi
    },
  }
}
