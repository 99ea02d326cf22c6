import type { Prompts, PromptKind } from '../prompts.js'
import type { Vault } from '../vault.js'
import { notConnected, notInitialized, userDenied } from './errors.js'
import type { KastleNews } from './news.js'
import type { KastleProfile } from './profile.js'

/** What of Kastle's behaviour a test may choose. Settings of a fake, to be changed at any time. */
export interface KastleAnswers {
  /** How many chained transactions a payment takes, as for an account of many small coins. @default 1 */
  transactions: number
  /** Which form the public key has: hot wallets give the first, hardware devices the second. @default 'compressed' */
  publicKey: 'compressed' | 'uncompressed'
  /** What becomes of a change of network: the address follows it, or the news still carries the old one. @default 'prompt' */
  address: 'prompt' | 'stale'
  /** Whether this is the first connect of a profile, which is told otherwise. @default 'known' */
  settings: 'known' | 'fresh'
}

/** What Kastle's methods work on. */
export interface Kastle {
  readonly vault: Vault
  readonly answers: KastleAnswers
  readonly news: KastleNews
  readonly prompts: Prompts
  readonly profile: KastleProfile
  /** Where the page is, as Kastle names it: without the scheme. */
  readonly host: string
  /** Of the selected account, in sompi. */
  balance: bigint
  /** The network that addresses are written for; behind the vault's where they are stale. */
  addressNetwork: string
  /** A number that no payment had before. */
  nextNonce(): number
}

/** An account and a site: Kastle lets a site in to one account at a time. */
export const permissionOf = ({ vault, host }: Kastle): string => `${vault.state.account}@${host}`

export const isConnected = (kastle: Kastle): boolean => kastle.vault.state.permissions.includes(permissionOf(kastle))

export const addressOf = ({ vault, addressNetwork }: Kastle): string => vault.account.addressOn(addressNetwork)

/** Rejects where nobody has made a wallet yet. */
export function demandWallet({ vault }: Kastle): void {
  if (vault.state.status === 'empty') throw notInitialized()
}

/** Rejects where the selected account does not know the site. */
export function demandConnection(kastle: Kastle): void {
  demandWallet(kastle)
  if (!isConnected(kastle)) throw notConnected()
}

/** Opens a window of its own, which first asks for the password where that is needed. Rejects where the user does not approve. */
export async function approve({ prompts, vault }: Kastle, kind: PromptKind, detail?: unknown): Promise<void> {
  if ((await prompts.ask(kind, detail)) !== 'approve') throw userDenied()
  if (vault.state.status === 'locked') vault.update({ status: 'unlocked' })
}
