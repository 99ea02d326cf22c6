import { isValidAddress, type ChainNetwork } from 'vue-chain'

/** What the explorer can show. `hash` is a transaction id or a block hash. */
export type Subject =
  | { readonly kind: 'network' }
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'transaction'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'hash'; readonly text: string }
  | { readonly kind: 'problem'; readonly text: string; readonly problem: string }

/** Parses a search text for a network. */
export function parseSubject(typed: string, network: ChainNetwork): Subject {
  const text = typed.trim().toLowerCase()
  if (text === '') return { kind: 'network' }
  const isAddress: boolean = isValidAddress(text, network)
  if (isAddress) return { kind: 'address', text }
  if (/^[0-9a-f]{64}$/.test(text)) return { kind: 'hash', text }
  return { kind: 'problem', text, problem: problemOf(text, network) }
}

function problemOf(text: string, network: ChainNetwork): string {
  const isForeign: boolean = isValidAddress(text)
  if (isForeign) return `This is an address of another network; this page uses ${network}.`
  if (text.startsWith('kaspa')) return 'Invalid address: the checksum does not match.'
  if (/^[0-9a-f]+$/.test(text)) return `A hash has 64 hex digits, not ${text.length}.`
  return 'Neither an address nor a hash: an address begins with its network prefix, a hash has 64 hex digits.'
}

/** Descriptions of the kinds for the search box. */
export const DESCRIPTIONS: Readonly<Record<Exclude<Subject['kind'], 'problem'>, string>> = {
  network: 'An address, a transaction id or a block hash.',
  address: 'An address.',
  transaction: 'A transaction id.',
  block: 'A block hash.',
  hash: 'A transaction id or a block hash.',
}
