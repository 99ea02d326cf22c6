import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { chromium, selectors, type Browser, type BrowserContext, type LaunchOptions, type Page } from 'playwright-core'
import { onTestFinished } from 'vitest'
import { CHROMIUM, CHROMIUM_FOR_PAGES } from '../../scripts/test/chromium.mjs'
import { FULL } from '../full.js'
import { watchContext } from './page-events.js'

/**
 * Features of Chromium that are off. The first ones are those that Playwright leaves out: the last flag counts. The
 * others load two pages of the address bar and a spare process for each page of a test, half of its processor time.
 */
const WITHOUT_FEATURES = [
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'AimEnabled'],
  ...['PreconnectToSearch', 'TcpPortRandomizationWin'],
  ...['WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'SpareRendererForSitePerProcess'],
]

/**
 * Suppresses background activity and network access of Debian's Chromium. Threads of the garbage collector would take
 * turns with the page, as in the processes that run tests.
 */
export const FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--js-flags=--single-threaded-gc --max-semi-space-size=16',
  `--disable-features=${WITHOUT_FEATURES.join(',')}`,
]

export const LAUNCH_OPTIONS: LaunchOptions = {
  executablePath: CHROMIUM_FOR_PAGES,
  args: FLAGS,
}

/** The Chromium of this worker, which its files use one after the other. Playwright ends it with the process. */
let shared: Promise<Browser> | undefined

/**
 * The Chromium of this worker: `close()` closes only what was opened by what this call returned. `shown` scroll bars
 * occupy space, as on most desktops, and need a Chromium of their own.
 */
export async function launch(scrollBars: 'hidden' | 'shown' = 'hidden'): Promise<Browser> {
  selectors.setTestIdAttribute('data-test')
  if (scrollBars === 'hidden') return shareOf(await (shared ??= launchShared()))
  const browser = await chromium.launch({ ...LAUNCH_OPTIONS, ignoreDefaultArgs: ['--hide-scrollbars'] })
  return browser.on('context', watchContext)
}

async function launchShared(): Promise<Browser> {
  const browser = await chromium.launch(LAUNCH_OPTIONS)
  browser.on('disconnected', () => (shared = undefined)) // crashed: the next file has a new one
  return browser.on('context', watchContext)
}

/** The browser, whose `close()` leaves the contexts of its other users open. */
function shareOf(browser: Browser): Browser {
  const contexts = new Set<BrowserContext>()
  const remember = (context: BrowserContext): BrowserContext => {
    contexts.add(context)
    return context.on('close', () => contexts.delete(context))
  }
  const share: Pick<Browser, 'newContext' | 'newPage' | 'close'> = {
    newContext: async (options) => remember(await browser.newContext(options)),
    async newPage(options) {
      const page = await browser.newPage(options)
      remember(page.context())
      return page
    },
    async close() {
      await Promise.all([...contexts].map((context) => context.close()))
    },
  }
  return Object.assign(Object.create(browser) as Browser, share)
}

/** Launches a browser with a profile and an unpacked extension: only such a context runs extensions. */
export async function launchWithExtension(profile: string, extension: string): Promise<BrowserContext> {
  const context = await chromium.launchPersistentContext(profile, {
    executablePath: CHROMIUM,
    args: [...FLAGS, `--disable-extensions-except=${extension}`, `--load-extension=${extension}`],
    ignoreDefaultArgs: ['--disable-extensions'],
  })
  watchContext(context)
  return context
}

/** Saves a picture of the page under test-results/, for review: in a full run only, since tests do not read it. */
export async function takeScreenshot(page: Page, name: string): Promise<void> {
  if (FULL) await page.screenshot({ path: `test-results/${name}.png`, fullPage: true })
}

/** The built script that defines the fake wallets in a page. */
export const readFakeWallets = (): string =>
  readFileSync(resolve(import.meta.dirname, '../../dist/fake-wallets.js'), 'utf8')

export interface View {
  readonly width?: number
  readonly theme?: 'light' | 'dark'
  /** `reduce`: no transitions: elements appear in their final state, and pages draw less. @default 'reduce' */
  readonly motion?: 'reduce' | 'no-preference'
  /** What derives keys and signs: each page that uses `wasm` compiles 11 MB. @default 'light' */
  readonly sdk?: 'light' | 'wasm'
}

/** Lets the pages of the demo begin with the choice `light`. */
export const chooseLight = (pages: Page | BrowserContext): Promise<unknown> =>
  pages.addInitScript(() => {
    if (localStorage.getItem('vue-chain-demo-sdk') === null) localStorage.setItem('vue-chain-demo-sdk', 'light')
  })

/** A page with its problems: console errors, Vue warnings, uncaught exceptions. */
export interface WatchedPage {
  readonly page: Page
  readonly problems: readonly string[]
  /** URLs of the opened WebSockets. */
  readonly sockets: readonly string[]
}

/** Opens the demo, until the end of the test, and records its problems. */
export async function open(
  browser: Browser,
  url: string,
  { width = 1280, theme = 'light', motion = 'reduce', sdk = 'light' }: View = {},
): Promise<WatchedPage> {
  const viewport = { width, height: 900 }
  const page = await browser.newPage({ viewport, colorScheme: theme, reducedMotion: motion })
  onTestFinished(() => page.close())
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  const sockets: string[] = []
  page.on('websocket', (socket) => sockets.push(socket.url()))
  await page.addInitScript(recordPageLog)
  if (sdk === 'light') await chooseLight(page)
  await page.goto(url)
  return { page, problems, sockets }
}

/** Values shown on the page, in order of appearance. */
export interface PageLog {
  /** Texts of the connection state. */
  readonly connection: string[]
  /** Number of reached steps of the first payment. */
  readonly steps: number[]
  /** Statuses of each payment, by its number. */
  readonly statuses: Record<string, string[]>
  /** Times of live region changes, ms since the navigation. */
  readonly announcedAt: number[]
  /** Time of the first paint of a live value, ms since the navigation. */
  paintedAt?: number
}

declare global {
  interface Window {
    pageLog: PageLog
  }
}

export const readPageLog = (page: Page): Promise<PageLog> => page.evaluate(() => window.pageLog)

/** Runs in the page: records short-lived values when they appear, so that tests do not depend on timing. */
function recordPageLog(): void {
  const pageLog: PageLog = { connection: [], steps: [], statuses: {}, announcedAt: [] }
  let announcement = ''
  window.pageLog = pageLog
  const add = <T>(list: T[], entry: T | undefined): void => {
    if (entry !== undefined && list.at(-1) !== entry) list.push(entry)
  }
  const record = (): void => {
    add(pageLog.connection, document.querySelector('[data-test=connection]')?.textContent.trim().split(',')[0])
    const steps = document.querySelector('[data-test=payment-1] [data-test-reached]')
    add(pageLog.steps, steps === null ? undefined : Number(steps.getAttribute('data-test-reached')))
    for (const payment of document.querySelectorAll('[data-test^=payment-]')) {
      const list = (pageLog.statuses[payment.getAttribute('data-test')!.slice('payment-'.length)] ??= [])
      add(list, payment.querySelector('[data-test-status]')?.getAttribute('data-test-status') ?? undefined)
    }
    const status = document.querySelector('[role=status]')?.textContent ?? ''
    if (status !== announcement) pageLog.announcedAt.push(performance.now())
    announcement = status
    const score = document.querySelector('[data-test=daa-score]')?.textContent ?? ''
    if (pageLog.paintedAt === undefined && /\d/.test(score)) {
      // The first frame after the change paints it; the second runs after that paint.
      requestAnimationFrame(() => requestAnimationFrame(() => (pageLog.paintedAt ??= performance.now())))
    }
  }
  new MutationObserver(record).observe(document, {
    subtree: true,
    childList: true,
    characterData: true,
    attributes: true,
  })
}
