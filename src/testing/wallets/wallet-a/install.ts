import { injectInto, type Injection, type PageWindow } from '../page.js'
import type { KaswareProvider } from './provider.js'

/** Puts the provider into the page so that it can be neither replaced nor removed, then says so, once. */
export function installProvider(page: PageWindow, provider: KaswareProvider, injection: Injection): void {
  injectInto(page, injection, () => {
    Object.defineProperty(page, 'kasware', { value: provider, writable: false, configurable: false, enumerable: true })
    page.dispatchEvent(new Event('kasware#initialized'))
  })
}
