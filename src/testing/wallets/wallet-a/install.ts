import { injectInto, type Injection } from '../page.js'
import type { PageWindow } from '../page-window.js'
import type { KaswareProvider } from './provider.js'

/** Injects the provider as a constant property, then dispatches `kasware#initialized` once. */
export function installProvider(page: PageWindow, provider: KaswareProvider, injection: Injection): void {
  injectInto(page, injection, () => {
    Object.defineProperty(page, 'kasware', { value: provider, writable: false, configurable: false, enumerable: true })
    page.dispatchEvent(new Event('kasware#initialized'))
  })
}
