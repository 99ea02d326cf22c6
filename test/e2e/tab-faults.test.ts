import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'
import { launch as launchByPuppeteer } from 'puppeteer-core'
import type { Plugin } from 'vite'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { CHROMIUM } from '../../scripts/test/chromium.mjs'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { EXTENSION_ORIGIN, buildExtension, bundleWithPopup } from '../setup/built-extension.js'
import { servePage } from '../setup/built-page.js'
import { FLAGS, launch, launchWithExtension } from './browser.js'
import { claimingPage } from './claiming-page.js'

const WITHOUT_WASM = { __VUE_CHAIN_WASM__: 'false' }

/** What ends with the test, last first. */
let closing: (() => unknown)[] = []
let devnode: Devnode
beforeEach(async () => {
  devnode = await createDevnode({ accounts: 2, blockInterval: 0, origins: [EXTENSION_ORIGIN] })
  closing = [() => devnode.close()]
  await devnode.mine(2)
})
afterEach(async () => {
  for (const close of closing.reverse()) await close()
})

/** A page, or a worker. */
interface Place {
  evaluate<T>(expression: string): Promise<T>
}

const idsPaid = (): readonly string[] =>
  devnode.expected.transfers([devnode.accounts[1]!.address]).map(({ transactionId }) => transactionId)

/** Both pay the same at once, so many times: what is reported as paid is on the chain, each once. */
async function expectDistinct(places: readonly Place[], rounds: number): Promise<void> {
  const paid: string[] = []
  for (let round = 0; round < rounds; round++) {
    const results = await Promise.all(places.map((place) => place.evaluate<string>('race().then(() => raced)')))
    const made = results.filter((result) => /^[0-9a-f]{64}$/.test(result))
    expect(made.length, results.join()).toBeGreaterThan(0)
    paid.push(...made)
    await devnode.mine(2)
  }
  expect(new Set(paid).size).toBe(paid.length)
  expect([...idsPaid()].sort()).toEqual([...paid].sort())
}

const isReady = (place: Place): Promise<unknown> =>
  expect.poll(() => place.evaluate('globalThis.ready?.then(() => true)')).toBe(true)

/** Another version of the messages between tab and worker. */
const nextProtocol: Plugin = {
  name: 'next-protocol',
  transform(code, id) {
    if (!id.endsWith('wrpc/shared/messages.ts')) return undefined
    if (!code.includes('PROTOCOL_VERSION = 1')) throw new Error('The version of the protocol is not found')
    return code.replace('PROTOCOL_VERSION = 1', 'PROTOCOL_VERSION = 2')
  },
}

it('has a socket for each of two releases side by side, whose claims are one', async () => {
  const built = await servePage(claimingPage(devnode), {}, WITHOUT_WASM)
  const urls = [built.url, await built.addRelease('next', [nextProtocol])]
  const browser = await launch()
  closing.push(built.close, () => browser.close())
  const context = await browser.newContext()
  const tabs: Page[] = []
  for (const url of [...urls, ...urls]) {
    const page = await context.newPage()
    await page.goto(`${url}?node=${devnode.urls.borsh}`)
    await isReady(page)
    tabs.push(page)
  }
  for (const tab of tabs)
    await expect.poll(() => tab.evaluate('sharing')).toMatchObject({ connection: 'shared', tabs: 2 })
  expect(devnode.connections()).toHaveLength(2)
  await expectDistinct(tabs, 10)
})

it('is live again, complete, after the back/forward cache had it', async () => {
  const headers = { 'cache-control': 'no-cache' }
  const built = await servePage(claimingPage(devnode), headers, WITHOUT_WASM)
  const browser = await launchByPuppeteer({ executablePath: CHROMIUM, args: FLAGS })
  closing.push(built.close, () => browser.close())
  const page = await browser.newPage()
  await page.goto(`${built.url}?node=${devnode.urls.borsh}`)
  await expect.poll(() => page.evaluate('globalThis.ready?.then(() => true)')).toBe(true)
  await page.evaluate(`addEventListener('pageshow', ({ persisted }) => (window.persisted = persisted))`)
  await devnode.mine(1)
  const accepted = (): Promise<string[]> => page.evaluate('accepted') as Promise<string[]>
  await expect.poll(accepted).toHaveLength(1)
  const [first] = await accepted()
  await page.goto(built.url.replace('127.0.0.1', 'localhost'))
  for (let block = 0; block < 5; block++) await devnode.mine(1)
  await page.goBack()
  expect(await page.evaluate('persisted')).toBe(true)
  await expect.poll(() => page.evaluate('status')).toBe('connected')
  const paid = await page.evaluate('race().then(() => raced)')
  await devnode.mine(2)
  expect(idsPaid()).toEqual([paid])
  const expected = devnode.expected.accepted().flatMap(({ acceptedTransactionIds: ids }) => ids)
  const lines = expected.map((id) => `accepted ${id}`)
  await expect.poll(accepted).toEqual(lines.slice(lines.indexOf(first!)))
})

async function openExtension(code: string): Promise<BrowserContext> {
  const extension = await buildExtension(code, bundleWithPopup, code)
  const profile = mkdtempSync(join(tmpdir(), 'vue-chain-profile-'))
  const context = await launchWithExtension(profile, extension.folder)
  closing.push(
    () => rmSync(profile, { recursive: true, force: true }),
    extension.remove,
    () => context.close(),
  )
  return context
}

it('pays once from each UTXO in the popup and the service worker of an extension', async () => {
  const node = `'${devnode.urls.borsh}'`
  const code = claimingPage(devnode, node)
  const context = await openExtension(code)
  const worker = context.serviceWorkers()[0] ?? (await context.waitForEvent('serviceworker'))
  const popup = await context.newPage()
  await popup.goto(`${EXTENSION_ORIGIN}/popup.html`)
  await Promise.all([isReady(worker), isReady(popup)])
  await expectDistinct([worker, popup], 10)
  expect(await worker.evaluate('sharing')).toMatchObject({ claims: 'shared', connection: 'own', reason: 'unsupported' })
  expect(await popup.evaluate('sharing')).toMatchObject({ claims: 'shared', connection: 'shared' })
})
