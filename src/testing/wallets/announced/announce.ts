import type { PageWindow } from '../page.js'

/** The drafts by which a wallet makes itself known. Neither is final; they differ in names, and in what a wallet is called. */
export type AnnouncementStandard = 'KIP-12' | 'KCC-12'

/** Who a wallet says it is. */
export interface AnnouncedInfo {
  /** Of this announcement; another after a reload. */
  readonly uuid: string
  readonly name: string
  /** A `data:` URI. */
  readonly icon: string
  /** The maker's domain, written backwards. */
  readonly rdns: string
}

const EVENTS = { 'KIP-12': 'kaspa:provider', 'KCC-12': 'kaspa:announceProvider' } as const

/** Announces a provider now, and again whenever a page asks who is there. */
export function announce(
  page: PageWindow,
  standard: AnnouncementStandard,
  info: AnnouncedInfo,
  provider: { readonly request: unknown },
): void {
  const named = standard === 'KIP-12' ? { id: info.rdns, methods: ['kaspa:requestAccounts'], ...info } : info
  const detail = Object.freeze({ info: Object.freeze(named), provider })
  const say = (): void => {
    page.dispatchEvent(new CustomEvent(EVENTS[standard], { detail }))
  }
  page.addEventListener('kaspa:requestProvider', say)
  say()
}
