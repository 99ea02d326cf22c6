import type { PageWindow } from './page-window.js'
import { createTestPage } from './test-page.js'

/** `window`, or a loaded and visible test page if there is none. */
export const currentPage = (): PageWindow => (typeof window === 'undefined' ? createTestPage() : window)

/** When an extension's script runs in a page: at once, after parsing, or after so many ms. */
export type Injection = 'now' | 'parsed' | { readonly after: number }

export function injectInto({ document }: PageWindow, injection: Injection, run: () => void): void {
  if (typeof injection === 'object') setTimeout(run, injection.after)
  else if (injection === 'now' || document.readyState !== 'loading') run()
  else document.addEventListener('DOMContentLoaded', run)
}
