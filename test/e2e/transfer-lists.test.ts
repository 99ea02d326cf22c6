import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const KAS = 100_000_000n
const LIBRARY = JSON.stringify(resolve(import.meta.dirname, '../../src/index.ts'))

declare global {
  interface Window {
    /** Mounts a further list of the address. */
    mountList(): void
    /** Replaces the order of each list by another one with the same address, as `refresh()` of a Nuxt page does. */
    refreshOrders(): void
    /** What a frame has shown: the freshness and the rows of each list. */
    shownFrames: string[]
  }
}

/** A page with lists of one address, each by the getter of an order, which records what each frame shows. */
const pageOf = ({ urls }: Devnode, address: string): string => `
  import { createApp, h, ref, shallowRef } from 'vue'
  import { VueChain, useTransfers } from ${LIBRARY}
  const orders = []
  const List = {
    setup() {
      const order = shallowRef({ address: '${address}' })
      orders.push(order)
      const { transfers, freshness } = useTransfers(() => order.value.address)
      return () => h('ul', { 'data-freshness': freshness.value }, transfers.value.map((row) => h('li', row.transactionId + ' ' + row.status)))
    },
  }
  const lists = ref(1)
  window.mountList = () => lists.value++
  window.refreshOrders = () => orders.forEach((order) => (order.value = { ...order.value }))
  window.shownFrames = []
  const record = () => {
    const shown = [...document.querySelectorAll('ul')].map((list) => list.dataset.freshness + ': ' + list.innerText)
    if (window.shownFrames.at(-1) !== JSON.stringify(shown)) window.shownFrames.push(JSON.stringify(shown))
    requestAnimationFrame(record)
  }
  record()
  createApp({ setup: () => () => Array.from({ length: lists.value }, () => h(List)) })
    .use(VueChain, { network: 'simnet', url: '${urls.borsh}', restUrl: '${urls.rest}' })
    .mount(document.body.appendChild(document.createElement('div')))
`

let browser: Browser
let devnode: Devnode
let address: string
let built: BuiltPage
beforeAll(async () => {
  ;[browser, devnode] = await Promise.all([launch(), createDevnode({ blockInterval: 0, accounts: 1 })])
  address = devnode.accounts[0]!.address
  await devnode.mine(2)
  built = await servePage(pageOf(devnode, address), {}, { __VUE_CHAIN_WASM__: 'false' })
})
afterAll(async () => {
  await browser.close()
  built.close()
  await devnode.close()
})

/** The lists of each frame so far. */
const framesOf = async (page: Page): Promise<readonly (readonly string[])[]> =>
  (await page.evaluate(() => window.shownFrames)).map((frame) => JSON.parse(frame) as string[])

const rows = (page: Page, list: number) => page.locator('ul').nth(list).locator('li')

/** Pays, and waits until the first list shows the payment as accepted. */
async function pay(page: Page): Promise<void> {
  const id = await devnode.fund(address, KAS)
  await devnode.mine(2)
  await rows(page, 0).getByText(`${id} accepted`).waitFor()
}

it('shows the same rows in each frame, of lists that are mounted one after the other', async () => {
  const page = await browser.newPage()
  await page.goto(built.url)
  await page.locator('ul[data-freshness=fresh]').waitFor({ state: 'attached' })
  await pay(page)
  await page.evaluate(() => window.mountList())
  await page.locator('ul[data-freshness=fresh]').nth(1).waitFor({ state: 'attached' })
  await pay(page)
  await devnode.reorg({ depth: 2 })
  await pay(page)
  await expect.poll(() => rows(page, 1).count()).toBe(await rows(page, 0).count())
  const both = (await framesOf(page)).filter(
    (lists) => lists.length === 2 && lists.every((list) => list.startsWith('fresh')),
  )
  expect(both.length).toBeGreaterThan(1)
  expect(both.filter(([first, second]) => first !== second)).toEqual([])
  await page.close()
})

it('keeps its rows where a getter returns the same address again', async () => {
  const page = await browser.newPage()
  await page.goto(built.url)
  await page.locator('ul[data-freshness=fresh]').waitFor({ state: 'attached' })
  await pay(page)
  const before = (await framesOf(page)).length
  for (let round = 0; round < 3; round++) {
    await page.evaluate(
      () =>
        new Promise((painted) => {
          window.refreshOrders()
          requestAnimationFrame(() => requestAnimationFrame(painted))
        }),
    )
  }
  await pay(page) // the list goes on
  const after = (await framesOf(page)).slice(before - 1)
  expect(after.filter(([list = '']) => !list.startsWith('fresh: ') || list === 'fresh: ')).toEqual([])
  await page.close()
})
