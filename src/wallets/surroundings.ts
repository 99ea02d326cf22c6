import type { Platform } from '../platform/port.js'

/** The part of a page's window that wallets are found in and heard through. */
export interface Page {
  readonly document: { readonly readyState: string }
  readonly location: { readonly origin: string }
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  dispatchEvent(event: Event): boolean
}

/** The page that wallets are put into, and its time. */
export interface Surroundings {
  readonly page: Page
  readonly platform: Pick<Platform, 'scheduler' | 'visible$'>
}
