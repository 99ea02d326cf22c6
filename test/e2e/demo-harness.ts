import type { Browser } from 'playwright-core'
import { afterAll, beforeAll } from 'vitest'
import { startDemo as serveDemo, type Demo, type DemoOptions } from '../../scripts/demo-server.mjs'
import { createDevnode } from '../../src/devnode/index.js'
import { launch, open, type View, type WatchedPage } from './browser.js'

/** A running demo and a browser for all tests of a file, available once the first test begins. */
export interface DemoHarness {
  readonly browser: Browser
  readonly demo: Demo
  /** Opens a page of the demo by the path after its URL (`#/explorer`), and records its problems. */
  readonly visit: (path?: string, view?: View) => Promise<WatchedPage>
}

/** Some blocks and payments, ms: a day of them takes a second of processor time. */
const PAST = 4 * 3_600_000

/** A day, which the charts of the explorer show, ms. */
export const DAY = 24 * 3_600_000

/**
 * The demo in the process of the tests, from the built page: a process of its own takes 3 s of processor time to start.
 * The test of the command starts those.
 */
export const startDemo = (options: DemoOptions = {}): Promise<Demo> =>
  serveDemo(createDevnode, { past: PAST, ...options })

/** Starts the demo and the browser before a file's first test and stops them after the last. */
export function setupDemo(options: DemoOptions = {}): DemoHarness {
  let browser: Browser
  let demo: Demo
  beforeAll(async () => {
    ;[browser, demo] = await Promise.all([launch(), startDemo(options)])
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
