import { isValidAddress, type ChainNetwork } from 'vue-chain'

/** What the explorer can show. Of a bare hash nobody can see whether it is a transaction's or a block's. */
export type Subject =
  | { readonly kind: 'network' }
  | { readonly kind: 'address'; readonly text: string }
  | { readonly kind: 'transaction'; readonly text: string }
  | { readonly kind: 'block'; readonly text: string }
  | { readonly kind: 'hash'; readonly text: string }
  | { readonly kind: 'problem'; readonly text: string; readonly problem: string }

/** What a typed or pasted text means on a network. */
export function readSubject(typed: string, network: ChainNetwork): Subject {
  const text = typed.trim().toLowerCase()
  if (text === '') return { kind: 'network' }
  const isAddress: boolean = isValidAddress(text, network)
  if (isAddress) return { kind: 'address', text }
  if (/^[0-9a-f]{64}$/.test(text)) return { kind: 'hash', text }
  return { kind: 'problem', text, problem: problemOf(text, network) }
}

function problemOf(text: string, network: ChainNetwork): string {
  const isForeign: boolean = isValidAddress(text)
  if (isForeign) return `This is an address of another network; here is ${network}.`
  if (text.startsWith('kaspa'))
    return 'This is no address: a character is wrong or missing, for the checksum does not fit.'
  if (/^[0-9a-f]+$/.test(text)) return `A hash has 64 hex digits, and these are ${text.length}.`
  return 'This is neither an address nor a hash: an address begins with its network, a hash is 64 hex digits.'
}

/** What a text was understood as, in words. */
export const WORDS: Readonly<Record<Exclude<Subject['kind'], 'problem'>, string>> = {
  network: 'An address, a transaction id or a block hash.',
  address: 'An address.',
  transaction: 'A transaction id.',
  block: 'A block hash.',
  hash: 'A transaction id or a block hash.',
}
