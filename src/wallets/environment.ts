import type { Platform } from '../platform/port.js'

/** The part of `window` that wallet detection uses. */
export interface Page {
  readonly document: { readonly readyState: string }
  readonly location: { readonly origin: string }
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  dispatchEvent(event: Event): boolean
}

/** The page with its wallets, and the clock. */
export interface WalletEnvironment {
  readonly page: Page
  readonly platform: Pick<Platform, 'scheduler' | 'visible$' | 'storage' | 'random'>
}
