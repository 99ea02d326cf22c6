import { resolve } from 'node:path'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { expect } from 'vitest'
import { bundleFakeWallets } from '../../scripts/build-assets.mjs'
import type { UseWalletReturn } from '../../src/index.js'
import type {
  FakeWalletA,
  FakeWalletAOptions,
  FakeWalletB,
  FakeWalletBOptions,
  FakeWallets,
  Injection,
} from '../../src/testing/index.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { TIMEOUT, launch } from './browser.js'

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
}

/** Result of an operation: its value, or its error with the cause. */
export type Outcome =
  | { readonly resolved: unknown }
  | { readonly message: string; readonly operation: string; readonly code: string; readonly cause: unknown }

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** An app with the plugin, the component and the composable, accessible from the test. */
const APP = `
  import { createApp, h } from 'vue'
  import { ConnectWallet, VueChain, useChain, useCrypto, useWallet } from ${file('index.ts')}
  const toPlain = (value) => JSON.parse(JSON.stringify(value ?? null, (_, member) => typeof member === 'bigint' ? String(member) : member))
  const toBigint = (value) => typeof value === 'string' && /^-?\\d+n$/.test(value) ? BigInt(value.slice(0, -1))
    : value && typeof value === 'object' && !Array.isArray(value) ? Object.fromEntries(Object.entries(value).map(([k, v]) => [k, toBigint(v)])) : value
  const toCause = (cause) => cause instanceof Error ? { name: cause.name, message: cause.message } : toPlain(cause)
  createApp({
    setup() {
      const wallet = useWallet()
      const [{ init }, { verifyMessage }] = [useChain(), useCrypto()]
      window.wallet = wallet
      window.verify = async ({ message, signature, publicKeyHex }) => { await init(); return verifyMessage(message, signature, publicKeyHex) }
      window.snapshot = () => toPlain({
        status: wallet.status.value, provider: wallet.provider.value, address: wallet.address.value,
        publicKey: wallet.publicKey.value, network: wallet.network.value, balance: wallet.balance.value,
        isConnecting: wallet.isConnecting.value, error: wallet.error.value?.code ?? null,
        installed: [wallet.isWalletAInstalled.value, wallet.isWalletBInstalled.value],
      })
      window.attempt = (operation, ...args) => wallet[operation](...args.map(toBigint)).then(
        (resolved) => ({ resolved: toPlain(resolved) }),
        ({ message, operation, code, cause }) => ({ message, operation, code, cause: toCause(cause) }))
      return () => h(ConnectWallet)
    },
  }).use(VueChain, { network: 'mainnet', autoConnect: false }).mount(document.body.appendChild(document.createElement('div')))
`

/** A browser, the built page and the script with the fakes. */
export interface WalletFixture {
  readonly browser: Browser
  readonly built: BuiltPage
  readonly fakes: string
  close(): Promise<void>
}

export async function openWalletFixture(): Promise<WalletFixture> {
  const [browser, built, fakes] = await Promise.all([launch(), servePage(APP), bundleFakeWallets()])
  return {
    browser,
    built,
    fakes,
    close: async () => {
      await browser.close()
      built.close()
    },
  }
}

export interface HarnessOptions {
  readonly a?: FakeWalletAOptions
  readonly b?: FakeWalletBOptions
  /** When their scripts run. @default 'parsed', as extensions do */
  readonly injection?: Injection
}

/** One open page, with fakes installed before its scripts run. */
export interface Harness {
  readonly page: Page
  readonly context: BrowserContext
  /** Console errors, warnings and uncaught exceptions. */
  readonly problems: readonly string[]
  readonly state: () => Promise<Snapshot>
  readonly attempt: (operation: string, ...args: unknown[]) => Promise<Outcome>
  /** Waits until the state matches. */
  readonly waitForState: (expected: Partial<Snapshot>) => Promise<void>
  /** Closes the page; fails if the page had problems or a bigint reached a wallet. */
  readonly close: () => Promise<void>
}

export async function openHarness(fixture: WalletFixture, options: HarnessOptions = {}): Promise<Harness> {
  const context = await fixture.browser.newContext()
  context.setDefaultTimeout(TIMEOUT)
  await context.addInitScript({ content: fixture.fakes })
  await context.addInitScript(installFakes, options)
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') problems.push(message.text())
  })
  page.on('pageerror', (error) => problems.push(String(error)))
  await page.goto(fixture.built.url)
  const state = (): Promise<Snapshot> => page.evaluate(() => window.snapshot())
  return {
    page,
    context,
    problems,
    state,
    attempt: (operation, ...args) =>
      page.evaluate(([name, values]) => window.attempt(name, ...values), [operation, args] as const),
    waitForState: (expected) => expect.poll(state).toMatchObject(expected),
    close: async () => {
      const bigints = await page.evaluate(() => {
        const fakes: readonly (FakeWalletA | FakeWalletB | undefined)[] = [window.a, window.b]
        return fakes.flatMap((fake) => fake?.bigints ?? [])
      })
      await context.close()
      expect({ problems, bigints }).toEqual({ problems: [], bigints: [] })
    },
  }
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
