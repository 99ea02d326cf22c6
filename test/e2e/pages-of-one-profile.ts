import type { BrowserContext, Page } from 'playwright-core'
import { servePage } from '../setup/built-page.js'
import { launch } from './browser.js'

/** A built page that several tabs of a browser profile show. */
export interface PagesOfOneProfile {
  readonly context: BrowserContext
  readonly url: string
  /** Errors on the console, and uncaught exceptions, of all tabs. */
  readonly problems: readonly string[]
  /** Opens a tab, as far as its load, with a query (`?node=…`) for what differs by test. */
  open(query?: string): Promise<Page>
  close(): Promise<void>
}

/**
 * Serves a page that runs `code`, which loads no WASM, with `headers` on every response, for a profile of its own. It
 * has no database yet.
 */
export async function servePages(code: string, headers: Record<string, string> = {}): Promise<PagesOfOneProfile> {
  const [browser, built] = await Promise.all([launch(), servePage(code, headers, { __VUE_CHAIN_WASM__: 'false' })])
  const context = await browser.newContext()
  const problems: string[] = []
  return {
    context,
    url: built.url,
    problems,
    async open(query = '') {
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(built.url + query)
      return page
    },
    async close() {
      await browser.close()
      built.close()
    },
  }
}
