import { createFakeAccounts, type FakeAccount } from './account.js'
import type { FakeStorage } from './storage.js'

/** What an extension knows, whatever page is open. It outlives the page where there is a storage. */
export interface VaultState {
  /** `empty`: nobody has made a wallet in it yet. */
  readonly status: 'unlocked' | 'locked' | 'empty'
  /** The selected account, by its index. */
  readonly account: number
  /** The network's id as nodes spell it. */
  readonly network: string
  /** Whom the user has let in, each in the wallet's own terms. */
  readonly permissions: readonly string[]
}

export interface Vault {
  readonly state: VaultState
  /** The selected account. */
  readonly account: FakeAccount
  /** Its address on the present network. */
  readonly address: string
  readonly accounts: readonly FakeAccount[]
  /** What is kept beyond the page, which another tab may have changed; null for nothing. */
  stored(): VaultState | null
  update(change: Partial<VaultState>): void
  allow(permission: string): void
  forbid(permission: string): void
}

const FRESH: VaultState = { status: 'unlocked', account: 0, network: 'mainnet', permissions: [] }

/** An extension's inside. What `storage` keeps under `key` goes before `initial`, as after a reload. */
export function createVault(key: string, initial: Partial<VaultState>, storage: FakeStorage): Vault {
  const accounts = createFakeAccounts()
  const stored = (): VaultState | null => JSON.parse(storage.getItem(key) ?? 'null') as VaultState | null
  let state: VaultState = { ...FRESH, ...initial, ...stored() }

  const update = (change: Partial<VaultState>): void => {
    state = { ...state, ...change }
    storage.setItem(key, JSON.stringify(state))
  }
  const selected = (): FakeAccount => {
    const account = accounts[state.account]
    if (account === undefined) throw new RangeError(`The fake wallet has accounts 0 to ${accounts.length - 1}`)
    return account
  }
  return {
    accounts,
    get state() {
      return state
    },
    get account() {
      return selected()
    },
    get address() {
      return selected().addressOn(state.network)
    },
    stored,
    update,
    allow: (permission) => update({ permissions: [...new Set([...state.permissions, permission])] }),
    forbid: (permission) => update({ permissions: state.permissions.filter((other) => other !== permission) }),
  }
}
