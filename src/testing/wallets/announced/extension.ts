import type { Prompts, PromptKind } from '../prompts.js'
import type { Vault } from '../vault.js'
import type { Remote } from './remote.js'
import { promptPending, unauthorized, userRejected } from './errors.js'

/** What an announced wallet's methods work on. */
export interface Announced {
  readonly vault: Vault
  readonly prompts: Prompts
  readonly origin: string
  readonly remote: Remote
  emit(event: string, payload: unknown): void
  /** A number that no payment had before. */
  nextNonce(): number
}

/** The addresses that the site may see: none where it has no permission, or the wallet is locked. */
export const visibleAccounts = ({ vault, origin }: Announced): string[] =>
  vault.state.status === 'unlocked' && vault.state.permissions.includes(origin) ? [vault.address] : []

/** Has the user approve of something, one thing at a time. The same window asks for the password where that is needed. */
export async function approve({ prompts, vault }: Announced, kind: PromptKind, detail: unknown): Promise<void> {
  if (prompts.open.length > 0) throw promptPending()
  if ((await prompts.ask(kind, detail)) !== 'approve') throw userRejected()
  vault.update({ status: 'unlocked' })
}

/** Rejects where the site has no permission. */
export function demandPermission({ vault, origin }: Announced): void {
  if (!vault.state.permissions.includes(origin)) throw unauthorized()
}

/** Tells of another network, then of the address, which begins otherwise there. */
export function moveTo(announced: Announced, network: string): void {
  announced.vault.update({ network })
  announced.emit('networkChanged', network)
  announced.emit('accountsChanged', visibleAccounts(announced))
}
