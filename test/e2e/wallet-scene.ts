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
import { PATIENCE, launch } from './browser.js'

declare global {
  interface Window {
    fakeWallets: FakeWallets
    a: FakeWalletA
    b: FakeWalletB
    wallet: UseWalletReturn
    /** What the composable's refs hold now, amounts as text. */
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

/** How an operation ended: with a value, or with an error of ours and the cause that it carries. */
export type Outcome =
  | { readonly resolved: unknown }
  | { readonly message: string; readonly operation: string; readonly code: string; readonly cause: unknown }

const file = (path: string): string => JSON.stringify(resolve(import.meta.dirname, '../../src', path))

/** An app of the plugin, the component and the composable, laid open to the test. */
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

/** A browser, a page of an app, and the script of fakes. */
export interface Theatre {
  readonly browser: Browser
  readonly built: BuiltPage
  readonly fakes: string
  close(): Promise<void>
}

export async function openTheatre(): Promise<Theatre> {
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

export interface SceneOptions {
  readonly a?: FakeWalletAOptions
  readonly b?: FakeWalletBOptions
  /** When their scripts run. @default 'parsed', the way of extensions */
  readonly injection?: Injection
}

/** One visit to the page, with fakes that are there before its scripts run. */
export interface Scene {
  readonly page: Page
  readonly context: BrowserContext
  /** Console errors, warnings and uncaught exceptions. */
  readonly complaints: readonly string[]
  readonly state: () => Promise<Snapshot>
  readonly attempt: (operation: string, ...args: unknown[]) => Promise<Outcome>
  /** Waits until the state is like that. */
  readonly becomes: (expected: Partial<Snapshot>) => Promise<void>
  /** Ends the visit; fails where the page complained, or a bigint reached a wallet. */
  readonly end: () => Promise<void>
}

export async function openScene(theatre: Theatre, options: SceneOptions = {}): Promise<Scene> {
  const context = await theatre.browser.newContext()
  context.setDefaultTimeout(PATIENCE)
  await context.addInitScript({ content: theatre.fakes })
  await context.addInitScript(raiseFakes, options)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') complaints.push(message.text())
  })
  page.on('pageerror', (error) => complaints.push(String(error)))
  await page.goto(theatre.built.url)
  const state = (): Promise<Snapshot> => page.evaluate(() => window.snapshot())
  return {
    page,
    context,
    complaints,
    state,
    attempt: (operation, ...args) =>
      page.evaluate(([name, rest]) => window.attempt(name, ...rest), [operation, args] as const),
    becomes: (expected) => expect.poll(state).toMatchObject(expected),
    end: async () => {
      const bigints = await page.evaluate(() => {
        const fakes: readonly (FakeWalletA | FakeWalletB | undefined)[] = [window.a, window.b]
        return fakes.flatMap((fake) => fake?.bigints ?? [])
      })
      await context.close()
      expect({ complaints, bigints }).toEqual({ complaints: [], bigints: [] })
    },
  }
}

/** Runs in the page before its own scripts. */
function raiseFakes({ a, b, injection = 'parsed' }: SceneOptions): void {
  if (location.protocol === 'about:') return
  // What a bundler would define for Vue
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
