import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const ENGINE = JSON.stringify(resolve(import.meta.dirname, '../../src/streams/index.ts'))

/** A page that connects on `connect(url)` and resolves to the first DAA score. */
const PAGE = `
  import { createChainEngine } from ${ENGINE}
  window.connect = (url) => new Promise((resolve) => {
    const engine = createChainEngine({ network: 'simnet', url })
    engine.virtualDaaScore$.subscribe((score) => score > 0n && resolve(String(score)))
  })
`
/** The chunk of connections. */
const CHUNK = /\/node-connection-[^/]*\.js$/

let browser: Browser
let built: BuiltPage
let devnode: Devnode
beforeAll(async () => {
  ;[browser, built, devnode] = await Promise.all([launch(), servePage(PAGE), createDevnode({ blockInterval: 250 })])
})
afterAll(async () => {
  await Promise.all([browser.close(), devnode.close()])
  built.close()
})

const connect = (page: Page): Promise<string> => page.evaluate<string>(`connect('${devnode.urls.borsh}')`)

it('opens the socket while the code of connections is loading', async () => {
  const page = await browser.newPage()
  const dialled = page.waitForEvent('websocket')
  await page.route(CHUNK, async (route) => {
    await dialled // without an early socket it is never sent
    await route.continue()
  })
  await page.goto(built.url)
  expect(Number(await connect(page))).toBeGreaterThan(0)
  await page.close()
})

it('requests all code for the first value at once', async () => {
  const page = await browser.newPage()
  const requested: string[] = []
  page.on('request', (request) => requested.push(request.url()))
  let held: readonly string[] = []
  await page.route(CHUNK, async (route) => {
    const preloaded = await page.evaluate<string[]>(
      `[...document.querySelectorAll('link[rel=modulepreload]')].map(({ href }) => href)`,
    )
    await expect.poll(() => preloaded.filter((url) => !requested.includes(url))).toEqual([])
    held = [...requested]
    await route.continue()
  })
  await page.goto(built.url)
  await connect(page)
  expect(held.filter((url) => CHUNK.test(url))).toHaveLength(1)
  expect(requested).toEqual(held)
  await page.close()
})
