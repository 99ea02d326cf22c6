import { afterAll, beforeAll, expect } from 'vitest'
import {
  openHarness,
  openWalletFixture,
  type Harness,
  type HarnessOptions,
  type WalletFixture,
} from './wallet-harness.js'

/** The fakes' first account on mainnet, its key, and their second account. */
export const FIRST = 'kaspa:qqd6e65yefepe9wk0m9vuxdufxd80sphy67gwwd0vdaumzdt4tc9s3qt0lqeh'
export const FIRST_KEY = '031bacea84ca721c95d67ecace19bc499a77c03726bc8739af637bcd89abaaf058'
export const SECOND = 'kaspa:qp6r0d88yj4fazlj057wc35245jfgs87n9jn6nahfg223996dfukvgpgq6pcp'
export const ON_TESTNET = expect.stringMatching(/^kaspatest:/) as string
export const TRANSACTION_ID = expect.stringMatching(/^[0-9a-f]{64}$/) as string

/** Fields common to all failures of an operation. */
export const failure = (operation: string) => ({ message: `Wallet operation "${operation}" failed`, operation })

/** A browser and a page for the tests of a file; `visit` opens the page with these fakes. */
export function setupWalletPage(): { readonly visit: (options?: HarnessOptions) => Promise<Harness> } {
  let fixture: WalletFixture
  beforeAll(async () => {
    fixture = await openWalletFixture()
  })
  afterAll(() => fixture.close())
  return { visit: (options) => openHarness(fixture, options) }
}

/** Connects and expects success. */
export async function connectTo(wallet: 'walletA' | 'walletB', harness: Promise<Harness>): Promise<Harness> {
  const visited = await harness
  expect(await visited.attempt('connect', wallet)).toEqual({ resolved: null })
  return visited
}
