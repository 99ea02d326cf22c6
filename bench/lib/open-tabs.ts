import type { Browser, Page } from 'playwright-core'
import { tabPage, type BenchTab } from '../pages/tab.js'
import { bundlePage } from './page.js'
import { serveCompressed, urlOf } from './throttled.js'

/** The tabs of one profile. */
export interface Tabs {
  /** Opens a tab, and waits until its UTXOs are fresh. */
  open(): Promise<Page>
  close(): Promise<void>
}

export interface TabsOptions {
  readonly node: string
  readonly network: string
  readonly connection: 'shared' | 'own'
}

const TRIES = 5

/**
 * Serves the page of a wallet that tracks addresses, as an app is served: its modules are preloaded, and cached once a
 * tab has loaded them. `openTabs` shows it in a profile of its own.
 */
export async function serveTabs(browser: Browser, addresses: readonly string[]) {
  const built = await bundlePage(tabPage(addresses), { __VUE_CHAIN_WASM__: 'false' })
  const server = await serveCompressed(built.folder, 'max-age=3600') // as files with a hash in their names are
  const openTabs = async ({ node, network, connection }: TabsOptions): Promise<Tabs> => {
    const context = await browser.newContext()
    const query = new URLSearchParams({ node, network, ...(connection === 'shared' && { shared: '' }) })
    return {
      async open() {
        for (let tries = 1; ; tries++) {
          const tab = await context.newPage()
          await tab.goto(`${urlOf(server)}?${query.toString()}`)
          await tab.waitForFunction('window.fresh')
          const [actual, reason] = [await read(tab, 'connection'), await read(tab, 'reason')]
          if (actual === connection) return tab
          if (tries === TRIES) throw new Error(`The connection of the tab is ${actual}: ${String(reason)}`)
          await tab.close() // on a busy machine the worker may need longer than two seconds
        }
      },
      close: () => context.close(),
    }
  }
  const close = (): void => {
    server.close()
    built.remove()
  }
  return { openTabs, close }
}

export const read = <Key extends keyof BenchTab>(tab: Page, key: Key): Promise<BenchTab[Key]> =>
  tab.evaluate<BenchTab[Key]>(`window.${key}`)
