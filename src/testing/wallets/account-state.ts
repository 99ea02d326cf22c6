import { schnorr, secp256k1 } from '@noble/curves/secp256k1.js'
import { addressOfPublicKey } from '../../model/address.js'
import { blake2bKeyed } from '../../model/hashing.js'
import { fromHex, toHex } from '../../model/hex.js'
import type { AddressPrefix } from '../../model/network.js'

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

/** An account of a fake wallet, with a real key, so that its signatures can be verified. */
export interface FakeAccount {
  /** Compressed, 66 hex digits. */
  readonly publicKey: string
  /** Uncompressed, 130 hex digits, as hardware wallets return it. */
  readonly uncompressedKey: string
  addressOn(network: string): string
  /** The wallets' signature of a message: 128 hex digits, randomised. */
  signMessage(message: string): string
  /** A BIP-340 signature of 32 bytes, hex. */
  signHash(hash: Uint8Array): string
}

/**
 * The private keys of the first three receiving addresses of the public test mnemonic ("abandon" eleven times, then
 * "about"). Never send funds to them.
 */
const KEYS = [
  '24cd8d2875e8e17e4f88fbc554834a89b7b3e0c6f9d84fae36883604359ba440',
  '03c8757528d03aeaa7af44bb90deed1a8aa4263b257f0499c3b12270a7dbe7d1',
  '08fe94ac0287c013e2699743b32fdcdde799f669a6690d615e2aa7b8b3912c7a',
]

/** The accounts of every fake wallet. */
const createFakeAccounts = (): readonly FakeAccount[] => KEYS.map(createFakeAccount)

function createFakeAccount(privateKeyHex: string): FakeAccount {
  const key = fromHex(privateKeyHex)
  const publicKey = toHex(secp256k1.getPublicKey(key, true))
  const signHash = (hash: Uint8Array): string => toHex(schnorr.sign(hash, key))
  return {
    publicKey,
    uncompressedKey: toHex(secp256k1.getPublicKey(key, false)),
    addressOn: (network) => addressOfPublicKey(publicKey, prefixOf(network)),
    signMessage: (message) => signHash(blake2bKeyed('PersonalMessageSigningHash', new TextEncoder().encode(message))),
    signHash,
  }
}

/** The address prefix of a network; wallets also know `testnet-11`. */
export function prefixOf(network: string): AddressPrefix {
  if (network.startsWith('testnet')) return 'kaspatest'
  if (network === 'devnet') return 'kaspadev'
  return network === 'simnet' ? 'kaspasim' : 'kaspa'
}

/** The part of the Web Storage API that the fakes use. */
export interface FakeStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
}

/** Storage that outlives the page (`site`) or a reload of the tab (`tab`). */
interface FakeMemory {
  readonly site: FakeStorage
  readonly tab: FakeStorage
}

/** `page`: the page's storage. `none`: in memory. @default 'page' in a browser */
export type MemoryKind = 'page' | 'none'

export const openMemory = (kind: MemoryKind = typeof window === 'undefined' ? 'none' : 'page'): FakeMemory =>
  kind === 'page' ? { site: localStorage, tab: sessionStorage } : { site: createStorage(), tab: createStorage() }

function createStorage(): FakeStorage {
  const values = new Map<string, string>()
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value)
    },
  }
}
