import type { PageWindow } from '../page.js'

/**
 * The announcement drafts, and Ethereum's standard. The drafts are not final; all differ in the event's name and in the
 * fields of `info`.
 */
export type AnnouncementStandard = 'KIP-12' | 'KCC-12' | 'EIP-6963'

/** A wallet's announced identity. */
export interface AnnouncedInfo {
  /** Unique per page load. */
  readonly uuid: string
  readonly name: string
  /** A `data:` URI. */
  readonly icon: string
  /** The vendor's domain in reverse order. */
  readonly rdns: string
}

const EVENTS = {
  'KIP-12': 'kaspa:provider',
  'KCC-12': 'kaspa:announceProvider',
  'EIP-6963': 'eip6963:announceProvider',
} as const

/** Announces a provider now and on every request. */
export function announce(
  page: PageWindow,
  standard: AnnouncementStandard,
  info: AnnouncedInfo,
  provider: object,
): void {
  const announcedInfo = standard === 'KIP-12' ? { id: info.rdns, methods: ['kaspa:requestAccounts'], ...info } : info
  const detail = Object.freeze({ info: Object.freeze(announcedInfo), provider })
  const dispatch = (): void => {
    page.dispatchEvent(new CustomEvent(EVENTS[standard], { detail }))
  }
  page.addEventListener(standard === 'EIP-6963' ? 'eip6963:requestProvider' : 'kaspa:requestProvider', dispatch)
  dispatch()
}
