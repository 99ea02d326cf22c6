import type { Prompts, PromptKind } from '../prompts.js'
import type { AccountStateSource } from '../account-state.js'
import type { WalletNode } from '../node/wallet-node.js'

/** The state that an announced wallet's methods use. */
export interface Announced {
  readonly accountState: AccountStateSource
  readonly prompts: Prompts
  readonly origin: string
  readonly nodeLink: NodeLink
  emit(event: string, payload: unknown): void
  readonly node: WalletNode
  /** Undefined where the wallet has no such method. */
  readonly signPskb: ((text: string) => string | Promise<string>) | undefined
}

/** The addresses exposed to the site: none if it is not permitted or the wallet is locked. */
export const visibleAccounts = ({ accountState, origin }: Announced): string[] =>
  accountState.state.status === 'unlocked' && accountState.state.permissions.includes(origin)
    ? [accountState.address]
    : []

/** Prompts the user; rejects if another prompt is open. Approval also unlocks the wallet. */
export async function approve({ prompts, accountState }: Announced, kind: PromptKind, detail: unknown): Promise<void> {
  if (prompts.open.length > 0) throw promptPending()
  if ((await prompts.request(kind, detail)) !== 'approve') throw userRejected()
  accountState.update({ status: 'unlocked' })
}

/** Throws if the site has no permission. */
export function requirePermission({ accountState, origin }: Announced): void {
  if (!accountState.state.permissions.includes(origin)) throw unauthorized()
}

/** Switches the network and emits it, then the address, whose prefix changes. */
export function changeNetwork(announced: Announced, network: string): void {
  announced.accountState.update({ network })
  announced.emit('networkChanged', network)
  announced.emit('accountsChanged', visibleAccounts(announced))
}

/** The connection of an announced wallet to its node. */
interface NodeLink {
  /** Throws while the node is unreachable. */
  requireReachable(): void
  disconnect(): void
  reconnect(network: string): void
}

/** Emits `disconnect` and `connect` to the page. */
export function createNodeLink(emit: (event: string, payload: unknown) => void): NodeLink {
  let status: 'reachable' | 'unreachable' = 'reachable'
  return {
    requireReachable: () => {
      if (status === 'unreachable') throw disconnected(4900)
    },
    disconnect: () => {
      status = 'unreachable'
      emit('disconnect', disconnected(1013)) // the WebSocket close code "try again later"
    },
    reconnect: (networkId) => {
      status = 'reachable'
      emit('connect', { networkId })
    },
  }
}

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

/** An announced wallet's rejection: an `Error` with a code of EIP-1193. */
class ProviderError extends Error {
  readonly code: number

  constructor(code: number, message: string) {
    super(message)
    this.code = code
  }
}

const userRejected = (): ProviderError => new ProviderError(4001, 'The user rejected the request.')
const unauthorized = (): ProviderError => new ProviderError(4100, 'The site is not authorized.')
export const unsupported = (method: string): ProviderError => new ProviderError(4200, `Unsupported method: ${method}`)
const disconnected = (code: number): ProviderError => new ProviderError(code, 'The node is unreachable.')
export const unknownNetwork = (network: string): ProviderError =>
  new ProviderError(4902, `Unrecognized network: ${network}`)
const promptPending = (): ProviderError => new ProviderError(-32002, 'A request is already pending.')
export const invalidParams = (message: string): ProviderError => new ProviderError(-32602, message)
export const internalError = (message: string): ProviderError => new ProviderError(-32603, message)
