import { createFakeAccounts, type FakeAccount } from './account.js'
import type { FakeStorage } from './storage.js'

/** An extension's state. It outlives the page if there is a storage. */
export interface AccountState {
  /** `empty`: no wallet has been created in it. */
  readonly status: 'unlocked' | 'locked' | 'empty'
  /** The index of the selected account. */
  readonly account: number
  /** The network id, for example `testnet-10`. */
  readonly network: string
  /** Permitted sites, in the wallet's own format. */
  readonly permissions: readonly string[]
}

export interface AccountStateSource {
  readonly state: AccountState
  /** The selected account. */
  readonly account: FakeAccount
  /** Its address on the current network. */
  readonly address: string
  readonly accounts: readonly FakeAccount[]
  /** The stored state, which another tab may have changed; null if none. */
  stored(): AccountState | null
  update(change: Partial<AccountState>): void
  /** Replaces the state by one that another tab has stored, without storing it again. */
  adopt(next: AccountState): void
  allow(permission: string): void
  revoke(permission: string): void
}

const DEFAULT_STATE: AccountState = { status: 'unlocked', account: 0, network: 'mainnet', permissions: [] }

/** Creates the state; one stored under `key` overrides `initial`. */
export function createAccountState(
  key: string,
  initial: Partial<AccountState>,
  storage: FakeStorage,
): AccountStateSource {
  const accounts = createFakeAccounts()
  const stored = (): AccountState | null => JSON.parse(storage.getItem(key) ?? 'null') as AccountState | null
  let state: AccountState = { ...DEFAULT_STATE, ...initial, ...stored() }

  const update = (change: Partial<AccountState>): void => {
    state = { ...state, ...change }
    storage.setItem(key, JSON.stringify(state))
  }
  const selected = (): FakeAccount => {
    const account = accounts[state.account]
    if (account === undefined) throw new RangeError(`The fake wallet has accounts 0 to${accounts.length - 1}`)
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
    adopt: (next) => {
      state = next
    },
    allow: (permission) => update({ permissions: [...new Set([...state.permissions, permission])] }),
    revoke: (permission) => update({ permissions: state.permissions.filter((other) => other !== permission) }),
  }
}
