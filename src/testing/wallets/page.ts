import { createTestPage } from './test-page.js'

/** The part of a page's window that an extension's script touches. */
export interface PageWindow {
  readonly document: {
    readonly readyState: string
    readonly visibilityState: string
    addEventListener(type: string, listener: () => void): void
  }
  readonly location: { readonly origin: string; readonly host: string }
  addEventListener(type: string, listener: (event: Event) => void): void
  removeEventListener(type: string, listener: (event: Event) => void): void
  dispatchEvent(event: Event): boolean
  postMessage(message: unknown, targetOrigin: string): void
}

/** The window of the page, or a stand-in where there is none: loaded and visible, and messages come back as in a page. */
export const thisPage = (): PageWindow => (typeof window === 'undefined' ? createTestPage() : window)

/** When an extension's script runs in a page: at once, when the page has been parsed, or so many ms later. */
export type Injection = 'now' | 'parsed' | { readonly after: number }

export function injectInto({ document }: PageWindow, injection: Injection, run: () => void): void {
  if (typeof injection === 'object') setTimeout(run, injection.after)
  else if (injection === 'now' || document.readyState !== 'loading') run()
  else document.addEventListener('DOMContentLoaded', run)
}
