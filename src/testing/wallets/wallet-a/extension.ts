import type { AccountStateSource } from '../account-state.js'
import type { WalletFunds, WalletNode } from '../node/wallet-node.js'

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

/** KasWare's rejection: a plain object, not an `Error`. */
interface KaswareError {
  readonly code: number
  readonly message: string
  readonly data?: unknown
}

export const userRejected: KaswareError = { code: 4001, message: 'User rejected the request.' }

/** Has the code of a user rejection, but means that no wallet has been created. */
export const noWallet: KaswareError = { code: 4001, message: 'wallet must has at least one account' }

export const unauthorized: KaswareError = {
  code: 4100,
  message: 'The requested account and/or method has not been authorized by the user.',
}

/** Any failure inside the extension; the stack names its files. A thrown string, as the SDK throws, leaves no trace. */
export const internalError = (thrown: Error | string): KaswareError =>
  typeof thrown === 'string'
    ? { code: -32603, message: 'Internal JSON-RPC error.', data: { originalError: {} } }
    : { code: -32603, message: thrown.message, data: { originalError: toRecord(thrown) } }

const toRecord = ({ message }: Error): object => ({
  message,
  stack: `Error: ${message}\n    at chrome-extension://fake/background.js`,
})

/** Thrown by the page script before sending, therefore a real `Error`. */
export const tooManyCalls = (): Error => Object.assign(new Error('Request limit exceeded.'), { code: -32005 })

/** KasWare's events to a page. Sites without permission get none, and unchanged values are not repeated. */
interface KaswareNotifier {
  accounts(addresses: readonly string[]): void
  network(): void
}

export function createNotifier(
  emitter: KaswareEmitter,
  accountState: AccountStateSource,
  isPermitted: () => boolean,
): KaswareNotifier {
  // Set on page load regardless of permission, so that the first connect of a site emits nothing
  let address = accountState.state.status === 'unlocked' ? accountState.address : undefined
  let network = accountState.state.network
  return {
    accounts: (addresses) => {
      if (addresses[0] === address) return
      address = addresses[0]
      if (isPermitted()) emitter.emit('accountsChanged', [...addresses])
    },
    network: () => {
      if (accountState.state.network === network) return
      network = accountState.state.network
      if (isPermitted()) emitter.emit('networkChanged', toKaswareName(network))
    },
  }
}

type Listener = (...payload: never[]) => void

/**
 * KasWare's event emitter, as in Node: prototype methods that need their receiver. A listener that throws prevents
 * later ones.
 */
export class KaswareEmitter {
  /** @internal */
  readonly listenersOf = new Map<string, readonly Listener[]>()

  on(event: string, listener: (...payload: never[]) => void): this {
    this.listenersOf.set(event, [...(this.listenersOf.get(event) ?? []), listener])
    return this
  }

  addListener(event: string, listener: (...payload: never[]) => void): this {
    return this.on(event, listener)
  }

  once(event: string, listener: (...payload: never[]) => void): this {
    const once: Listener = (...payload) => {
      this.removeListener(event, once)
      listener(...payload)
    }
    return this.on(event, once)
  }

  removeListener(event: string, listener: (...payload: never[]) => void): this {
    const remaining = [...(this.listenersOf.get(event) ?? [])]
    const index = remaining.lastIndexOf(listener)
    if (index >= 0) remaining.splice(index, 1)
    this.listenersOf.set(event, remaining)
    return this
  }

  off(event: string, listener: (...payload: never[]) => void): this {
    return this.removeListener(event, listener)
  }

  removeAllListeners(event?: string): this {
    if (event === undefined) this.listenersOf.clear()
    else this.listenersOf.delete(event)
    return this
  }

  listenerCount(event: string): number {
    return this.listenersOf.get(event)?.length ?? 0
  }

  emit(event: string, ...payload: unknown[]): boolean {
    const listeners = this.listenersOf.get(event) ?? []
    for (const listener of listeners) listener(...(payload as never[]))
    return listeners.length > 0
  }
}

/** KasWare's networks and their ids, in the order of its error message. */
const NETWORKS: Readonly<Record<string, string>> = {
  kaspa_mainnet: 'mainnet',
  kaspa_testnet_12: 'testnet-12',
  kaspa_testnet_11: 'testnet-11',
  kaspa_testnet_10: 'testnet-10',
  kaspa_devnet: 'devnet',
}

/** The networks that a page can switch to. */
export const SWITCHABLE = /*#__PURE__*/ Object.keys(NETWORKS)

export const fromKaswareName = (name: string): string | undefined => NETWORKS[name]

/** A network in KasWare's spelling, also `kaspa_simnet`, which no page can switch to. */
export const toKaswareName = (network: string): string => `kaspa_${network.replaceAll('-', '_')}`

/** The network type; KasWare switches within one type without a prompt. */
export const typeOf = (network: string): string => network.split('-', 1)[0] ?? network
