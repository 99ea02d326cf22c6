import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { launch, open, type View, type WatchedPage } from './browser.js'
import { startDemo, type DemoProcess } from './demo-process.js'

/** A running demo and a browser, for all tests of a file. There is none before the first of them begins. */
export interface DemoStage {
  readonly browser: Browser
  readonly demo: DemoProcess
  /** Opens a page of the demo by what follows its address (`#/explorer`), and begins to watch it. */
  readonly visit: (path?: string, view?: View) => Promise<WatchedPage>
}

/** Raises the stage before a file's first test, and clears it after the last. `args`: the demo's command line. */
export function raiseDemo(args: readonly string[] = ['--port', '0']): DemoStage {
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
