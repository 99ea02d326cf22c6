import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { world } from '../rest/recordings.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

const { alice = '' } = world.addresses
const SOURCE = JSON.stringify(resolve(import.meta.dirname, '../../src/rest/client.ts'))
const PAGE = `import { createRestClient } from ${SOURCE}; window.createRestClient = createRestClient`
/** Without inputs and outputs. */
const SUBMITTED_ID = '2c18d5e59ca8fc4c23d9560da3bf738a8f40935c11c162017fbf2c907b7e665c'
const CORS = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }

/** An indexer whose responses browsers keep for ten minutes; each balance is the number of the request. */
interface Indexer {
  readonly server: Server
  readonly url: string
  balances: number
}

let browser: Browser
let built: BuiltPage
let indexer: Indexer

async function serveIndexer(): Promise<Indexer> {
  const server = createServer(({ method = '', url = '' }, response) => {
    if (method === 'OPTIONS') return void response.writeHead(200, CORS).end()
    const headers = { ...CORS, 'content-type': 'application/json' }
    if (method === 'POST') return void response.writeHead(200, headers).end(`{"transactionId":"${SUBMITTED_ID}"}`)
    const body = url.endsWith('/balance') ? { address: alice, balance: ++indexer.balances } : {}
    response.writeHead(200, { ...headers, 'cache-control': 'public, max-age=600' }).end(JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, balances: 0 }
}

beforeAll(async () => {
  ;[browser, built, indexer] = await Promise.all([launch(), servePage(PAGE), serveIndexer()])
})
afterAll(async () => {
  await browser.close()
  built.close()
  indexer.server.close()
})

async function openPage(): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(built.url, { waitUntil: 'networkidle' })
  await page.evaluate(`window.connect = () => createRestClient({ baseUrl: '${indexer.url}', retries: 0 })`)
  await page.evaluate(`window.rest = connect(); window.address = '${alice}'`)
  indexer.balances = 0
  return page
}

const balanceOf = (page: Page, options = ''): Promise<number> =>
  page.evaluate(`rest.getAddressBalance(address, ${options || undefined}).then(({ balance }) => balance)`)

it('uses the browser’s HTTP cache for what this cache does not have', async () => {
  const page = await openPage()
  expect(await balanceOf(page)).toBe(1)
  await page.evaluate('window.rest = connect()') // as after a reload of the page
  expect([await balanceOf(page), indexer.balances]).toEqual([1, 1])
  await page.close()
})

it.each([
  ['`cache: false`', '', '{ cache: false }'],
  ['`forceRefresh`', '', '{ forceRefresh: true }'],
  ['`clearCache()`', 'rest.clearCache()', ''],
  ['`clearCache(prefix)`', 'rest.clearCache("/addresses/")', ''],
  ['a submission', 'rest.submitTransaction({ version: 0, inputs: [], outputs: [] }).catch(() => undefined)', ''],
])('sends a request for the balance with or after %s', async (_, step, options) => {
  const page = await openPage()
  expect(await balanceOf(page)).toBe(1)
  await page.evaluate(step || 'undefined')
  expect([await balanceOf(page, options), indexer.balances]).toEqual([2, 2])
  await page.close()
})

it('leaves no older balance in the browser’s HTTP cache after a refresh', async () => {
  const page = await openPage()
  await balanceOf(page)
  await page.evaluate('rest.clearCache()')
  expect(await balanceOf(page)).toBe(2)
  await page.evaluate('window.rest = connect()')
  expect([await balanceOf(page), indexer.balances]).toEqual([2, 2])
  await page.close()
})
