import type { BrowserContext, Page } from 'playwright-core'
import { servePage } from '../setup/built-page.js'
import { launch } from './browser.js'

/** A built page that several tabs of a browser profile show. */
export interface PagesOfOneProfile {
  readonly context: BrowserContext
  /** Errors on the console, and uncaught exceptions, of all tabs. */
  readonly problems: readonly string[]
  /** Opens a tab, as far as its load. */
  open(): Promise<Page>
  close(): Promise<void>
}

/** Serves a page that runs `code`, which loads no WASM, for a profile of its own, which has no database yet. */
export async function servePages(code: string): Promise<PagesOfOneProfile> {
  const [browser, built] = await Promise.all([launch(), servePage(code, {}, { __VUE_CHAIN_WASM__: 'false' })])
  const context = await browser.newContext()
  const problems: string[] = []
  return {
    context,
    problems,
    async open() {
      const page = await context.newPage()
      page.on('console', (message) => message.type() === 'error' && problems.push(message.text()))
      page.on('pageerror', (error) => problems.push(String(error)))
      await page.goto(built.url)
      return page
    },
    async close() {
      await browser.close()
      built.close()
    },
  }
}
