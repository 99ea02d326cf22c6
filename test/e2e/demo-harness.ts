import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launch, open, type View, type WatchedPage } from './browser.js'
import { startDemo, type DemoProcess } from './demo-process.js'

/** A running demo and a browser for all tests of a file, available once the first test begins. */
export interface DemoHarness {
  readonly browser: Browser
  readonly demo: DemoProcess
  /** Opens a page of the demo by the path after its URL (`#/explorer`), and records its problems. */
  readonly visit: (path?: string, view?: View) => Promise<WatchedPage>
}

/**
 * Starts the demo and the browser before a file's first test and stops them after the last. `args`: the demo's command
 * line.
 */
export function setupDemo(args: readonly string[] = ['--port', '0']): DemoHarness {
  let browser: Browser
  let demo: DemoProcess
  beforeAll(async () => {
    ;[browser, demo] = await Promise.all([launch(), startDemo(args)])
  })
  afterAll(async () => {
    await browser.close()
    await demo.stop()
  })
  return {
    get browser() {
      return browser
    },
    get demo() {
      return demo
    },
    visit: (path = '', view = {}) => open(browser, demo.url + path, view),
  }
}
