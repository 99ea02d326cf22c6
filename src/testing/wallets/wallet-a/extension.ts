import type { Vault } from '../vault.js'
import type { KaswareAnswers } from './answers.js'
import type { KaswareNews } from './news.js'

/** What KasWare's methods work on. */
export interface Kasware {
  readonly vault: Vault
  readonly answers: KaswareAnswers
  readonly news: KaswareNews
  /** Of the selected account, in sompi. */
  balance: { readonly confirmed: bigint; readonly unconfirmed: bigint }
  /** A number that no payment had before. */
  nextNonce(): number
}

/** What a site is to it. */
export type Standing = 'stranger' | 'permitted' | 'locked out'

/** A site without permission is a stranger; one with permission is locked out while the wallet is locked. */
export function standingOf({ state }: Pick<Vault, 'state'>, origin: string | null): Standing {
  if (origin === null || !state.permissions.includes(origin)) return 'stranger'
  return state.status === 'locked' ? 'locked out' : 'permitted'
}
