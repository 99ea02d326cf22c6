import type { Browser, BrowserContext, ConsoleMessage, Page } from 'playwright-core'
import { expect, inject, onTestFinished } from 'vitest'
import type { DevnodeEngineOptions } from '../../src/devnode/devnode.js'
import type { UseWalletReturn } from '../../src/index.js'
import type {
  FakeWalletA,
  FakeWalletAOptions,
  FakeWalletB,
  FakeWalletBOptions,
  FakeWallets,
  Injection,
} from '../../src/testing/index.js'
import { launch, readFakeWallets } from './browser.js'

declare global {
  interface Window {
    fakeWallets: FakeWallets
    a: FakeWalletA
    b: FakeWalletB
    wallet: UseWalletReturn
    /** Current values of the composable's refs, amounts as text. */
    snapshot: () => Snapshot
    /** Runs an operation to its end; bigints are written `'5n'`. */
    attempt: (operation: string, ...args: unknown[]) => Promise<Outcome>
  }
}

export interface Snapshot {
  readonly status: string
  readonly provider: string | null
  readonly address: string | null
  readonly publicKey: string | null
  readonly network: string | null
  readonly balance: { readonly confirmed: string; readonly unconfirmed: string; readonly total: string } | null
  readonly isConnecting: boolean
  readonly installed: readonly [boolean, boolean]
  readonly error: string | null
  readonly interrupted: readonly { readonly wallet: string; readonly outputs: unknown; readonly id: string }[]
}

/** Result of an operation: its value, or its error with the cause. */
export type Outcome =
  | { readonly resolved: unknown }
  | { readonly message: string; readonly operation: string; readonly code: string; readonly cause: unknown }

/** A browser, the address of the app and the script with the fakes. */
export interface WalletFixture {
  readonly browser: Browser
  readonly url: string
  readonly fakes: string
  /** Blank pages for the next tests: to open one takes most of a test's processor time. */
  readonly blank: Page[]
  close(): Promise<void>
}

export async function openWalletFixture(): Promise<WalletFixture> {
  const browser = await launch()
  return { browser, url: inject('walletApp'), fakes: readFakeWallets(), blank: [], close: () => browser.close() }
}

/** Options that are passed to a page as JSON. */
type InPage<Options> = Omit<Options, 'devnode' | 'page'> & {
  readonly devnode?: { readonly engineOptions: Pick<DevnodeEngineOptions, 'network' | 'url'> }
}

export interface HarnessOptions {
  readonly a?: InPage<FakeWalletAOptions>
  readonly b?: InPage<FakeWalletBOptions>
  /** When their scripts run. @default 'parsed', as extensions do */
  readonly injection?: Injection
}

/** One open page, with fakes installed before its scripts run. */
export interface Harness {
  readonly page: Page
  /** The context of the page; once read, no other test uses the page. */
  readonly context: BrowserContext
  /** Console errors, warnings and uncaught exceptions. */
  readonly problems: readonly string[]
  readonly state: () => Promise<Snapshot>
  readonly attempt: (operation: string, ...args: unknown[]) => Promise<Outcome>
  /** Waits until the state matches. */
  readonly waitForState: (expected: Partial<Snapshot>) => Promise<void>
  /** Closes the page, at the latest with the test; fails if it had problems or a bigint reached a wallet. */
  readonly close: () => Promise<void>
}

export async function openHarness(fixture: WalletFixture, options: HarnessOptions = {}): Promise<Harness> {
  const page = fixture.blank.pop() ?? (await openPage(fixture))
  const context = page.context()
  const scripts = [
    await context.addInitScript({ content: fixture.fakes }),
    await context.addInitScript(installFakes, options),
  ]
  const problems: string[] = []
  let isReusable = true
  const onConsole = (message: ConsoleMessage): void => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  }
  const onError = (error: Error): void => void problems.push(String(error))
  page.on('console', onConsole).on('pageerror', onError)
  await page.goto(fixture.url)
  const state = (): Promise<Snapshot> => page.evaluate(() => window.snapshot())
  let isOpen = true
  const close = async (): Promise<void> => {
    if (!isOpen || page.isClosed()) return
    isOpen = false
    const bigints = await page.evaluate(() => {
      const fakes: readonly (FakeWalletA | FakeWalletB | undefined)[] = [window.a, window.b]
      return fakes.flatMap((fake) => fake?.bigints ?? [])
    })
    if (!isReusable) await context.close()
    else {
      await leaveApp(page)
      page.off('console', onConsole).off('pageerror', onError)
      for (const script of scripts) await script.dispose()
      fixture.blank.push(page)
    }
    expect({ problems, bigints }).toEqual({ problems: [], bigints: [] })
  }
  onTestFinished(close)
  return {
    page,
    get context() {
      isReusable = false
      return context
    },
    problems,
    state,
    attempt: (operation, ...args) =>
      page.evaluate(([name, values]) => window.attempt(name, ...values), [operation, args] as const),
    waitForState: (expected) => expect.poll(state).toMatchObject(expected),
    close,
  }
}

/** A page in a context of its own, which may open further pages. */
async function openPage({ browser }: WalletFixture): Promise<Page> {
  const context = await browser.newContext()
  return context.newPage()
}

/** Ends the app and deletes what it stored. */
async function leaveApp(page: Page): Promise<void> {
  await page.evaluate(() => [localStorage, sessionStorage].forEach((storage) => storage.clear()))
  await page.goto('about:blank')
}

/** Runs in the page before its own scripts. */
function installFakes({ a, b, injection = 'parsed' }: HarnessOptions): void {
  if (location.protocol === 'about:') return
  // Flags that a bundler defines for Vue
  Object.assign(window, {
    __VUE_OPTIONS_API__: true,
    __VUE_PROD_DEVTOOLS__: false,
    __VUE_PROD_HYDRATION_MISMATCH_DETAILS__: false,
  })
  if (a !== undefined) {
    window.a = window.fakeWallets.createFakeWalletA(a)
    window.a.install(injection)
  }
  if (b !== undefined) {
    window.b = window.fakeWallets.createFakeWalletB(b)
    window.b.install(injection)
  }
}
