import type { PageWindow } from '../page.js'
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

/**
 * Applies changes from other tabs, received through the shared storage, and emits them. Does not store them again: a
 * browser's tabs read copies of the storage, so that a late copy would overwrite a newer change of the other tab.
 */
export function syncOtherTabs({ accountState, notifier }: Kasware, page: PageWindow): void {
  const { origin } = page.location
  page.addEventListener('storage', () => {
    const next = accountState.stored()
    if (next === null) return
    const isPermitted = siteAccessOf({ state: next }, origin) === 'permitted'
    // emitted before the permission is revoked
    if (!isPermitted && siteAccessOf(accountState, origin) !== 'none') notifier.accounts([])
    accountState.adopt(next)
    notifier.network()
    if (isPermitted) notifier.accounts([accountState.address])
  })
}
