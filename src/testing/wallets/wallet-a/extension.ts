import type { AccountStateSource } from '../account-state.js'
import type { WalletFunds, WalletNode } from '../node/wallet-node.js'
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

/** Variants of KasWare's results, each seen in a real version. Can be changed at any time. */
export interface KaswareBehavior {
  /** The result of `sendKaspa`: the id, the transaction as JSON, or as an object. @default 'id' */
  send: 'id' | 'json' | 'object'
  /** The encoding of signatures. @default 'hex' */
  signature: 'hex' | 'base64'
  /** The type of a balance's figures; compatible wallets report no sum, or it alone. @default 'number' */
  balance: 'number' | 'text' | 'without total' | 'total only'
  /** Ms from `networkChanged` to `accountsChanged`. @default 0 */
  accountsLag: number
}

export const defaultBehavior = (): KaswareBehavior => ({
  send: 'id',
  signature: 'hex',
  balance: 'number',
  accountsLag: 0,
})
