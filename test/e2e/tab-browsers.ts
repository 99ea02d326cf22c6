import { existsSync } from 'node:fs'
import { launch as launchByBidi } from 'puppeteer-core'
import { launch } from './browser.js'
import { HAS_WEBKIT, launchWebKit } from './webkit.js'

/** Debian's Firefox, driven by WebDriver BiDi. */
export const FIREFOX = process.env.FIREFOX ?? '/usr/bin/firefox-esr'

/** A tab of any browser. */
export interface BrowserTab {
  /** Evaluates an expression; its value crosses as JSON. */
  evaluate<T>(expression: string): Promise<T>
  close(): Promise<void>
}

/** A browser with a profile of its own. */
export interface TabBrowser {
  /** Opens a tab, as far as its load. */
  open(url: string): Promise<BrowserTab>
  close(): Promise<void>
}

async function launchChromium(): Promise<TabBrowser> {
  const browser = await launch()
  const context = await browser.newContext()
  return {
    open: async (url) => {
      const page = await context.newPage()
      await page.goto(url)
      return { evaluate: (expression) => page.evaluate(expression), close: () => page.close() }
    },
    close: () => browser.close(),
  }
}

async function launchFirefox(): Promise<TabBrowser> {
  const browser = await launchByBidi({ browser: 'firefox', executablePath: FIREFOX, headless: true, timeout: 0 })
  return {
    open: async (url) => {
      const page = await browser.newPage()
      page.setDefaultTimeout(0)
      await page.goto(url)
      return {
        evaluate: <T>(expression: string) => page.evaluate(expression) as Promise<T>,
        close: () => page.close(),
      }
    },
    close: () => browser.close(),
  }
}

async function launchWebKitGtk(): Promise<TabBrowser> {
  const webkit = await launchWebKit()
  return {
    open: async (url) => {
      const tab = await webkit.open(url)
      return { evaluate: (expression) => webkit.evaluate(tab, expression), close: () => webkit.closeTab(tab) }
    },
    close: () => webkit.close(),
  }
}

/** Every browser whose tabs are tested; `isInstalled`: on this machine. */
export const TAB_BROWSERS: readonly {
  readonly name: string
  readonly isInstalled: boolean
  readonly launch: () => Promise<TabBrowser>
}[] = [
  { name: 'Chromium', isInstalled: true, launch: launchChromium },
  { name: 'Firefox', isInstalled: existsSync(FIREFOX), launch: launchFirefox },
  { name: 'WebKitGTK', isInstalled: HAS_WEBKIT, launch: launchWebKitGtk },
]
