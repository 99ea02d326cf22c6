import type { AccountStateSource } from '../account-state.js'
import type { WalletFunds, WalletNode } from '../node/wallet-node.js'
import type { KaswareBehavior } from './behavior.js'
import type { KaswareNotifier } from './notifier.js'

/** The state that KasWare's methods use. */
export interface Kasware {
  readonly accountState: AccountStateSource
  readonly behavior: KaswareBehavior
  readonly notifier: KaswareNotifier
  /** Of the selected account, in sompi. */
  balance: WalletFunds
  readonly node: WalletNode
}

/** A site's access to the selected account. */
export type SiteAccess = 'none' | 'permitted' | 'locked'

/** `locked`: the site is permitted, but the wallet is locked. */
export function siteAccessOf({ state }: Pick<AccountStateSource, 'state'>, origin: string | null): SiteAccess {
  if (origin === null || !state.permissions.includes(origin)) return 'none'
  return state.status === 'locked' ? 'locked' : 'permitted'
}
