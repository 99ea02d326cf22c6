import { moveTo, visibleAccounts, type Announced } from './extension.js'

/** What the user does in the wallet's own windows. Pages are told of all of it. */
export interface AnnouncedControls {
  lock(): void
  unlock(): void
  selectAccount(index: number): void
  switchNetwork(network: string): void
  /** Takes the permission of this page's site away. */
  forgetSite(): void
  /** The wallet's node is out of reach, until `findNode`: it cannot send, and still shows accounts and signs. */
  loseNode(): void
  findNode(): void
}

export function createControls(wallet: Announced): AnnouncedControls {
  const { vault, origin, remote } = wallet
  const change = (action: () => void): void => {
    action()
    wallet.emit('accountsChanged', visibleAccounts(wallet))
  }
  return {
    lock: () => change(() => vault.update({ status: 'locked' })),
    unlock: () => change(() => vault.update({ status: 'unlocked' })),
    selectAccount: (account) => change(() => vault.update({ account })),
    switchNetwork: (network) => moveTo(wallet, network),
    forgetSite: () => change(() => vault.forbid(origin)),
    loseNode: () => remote.lose(),
    findNode: () => remote.find(vault.state.network),
  }
}
