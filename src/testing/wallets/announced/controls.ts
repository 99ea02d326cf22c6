import { changeNetwork, visibleAccounts, type Announced } from './extension.js'

/** The user's actions in the wallet's own window. Each emits an event to the page. */
export interface AnnouncedControls {
  lock(): void
  unlock(): void
  selectAccount(index: number): void
  switchNetwork(network: string): void
  /** Revokes the permission of this page's site. */
  forgetSite(): void
  /**
   * Disconnects the wallet from its node until `reconnectNode`: it cannot send, but still exposes accounts and signs.
   */
  disconnectNode(): void
  reconnectNode(): void
}

export function createControls(wallet: Announced): AnnouncedControls {
  const { accountState, origin, nodeLink } = wallet
  const change = (action: () => void): void => {
    action()
    wallet.emit('accountsChanged', visibleAccounts(wallet))
  }
  return {
    lock: () => change(() => accountState.update({ status: 'locked' })),
    unlock: () => change(() => accountState.update({ status: 'unlocked' })),
    selectAccount: (account) => change(() => accountState.update({ account })),
    switchNetwork: (network) => changeNetwork(wallet, network),
    forgetSite: () => change(() => accountState.revoke(origin)),
    disconnectNode: () => nodeLink.disconnect(),
    reconnectNode: () => nodeLink.reconnect(accountState.state.network),
  }
}
