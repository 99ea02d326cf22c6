import type { Prompts, PromptKind } from '../prompts.js'
import type { AccountStateSource } from '../account-state.js'
import type { WalletNode } from '../node/wallet-node.js'
import { promptPending, unauthorized, userRejected, disconnected } from './errors.js'

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
