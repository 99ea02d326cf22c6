import { resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { encodeAddress } from '../../src/model/address.js'
import { servePage, type BuiltPage } from '../setup/built-page.js'
import { launch } from './browser.js'

/** More sompi than a double holds exactly. */
const RICH = 9_007_199_254_740_993n
const KAS = 100_000_000n
const ADDRESSES = ['polled', 'refetched', 'persisted'] as const
const addressOf = (name: (typeof ADDRESSES)[number]): string =>
  encodeAddress('kaspasim', 'PubKey', new Uint8Array(32).fill(ADDRESSES.indexOf(name) + 1))

/** An app whose own TanStack client, persisted in localStorage, fetches the balance of the address in its URL. */
const toPage = (restUrl: string): string => `
  import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister'
  import { persistQueryClient } from '@tanstack/query-persist-client-core'
  import { QueryClient, VueQueryPlugin, useQuery } from '@tanstack/vue-query'
  import { createApp, h } from 'vue'
  import { VueChain, fromLosslessJson, queryOptions, toLosslessJson, useChainRest } from ${JSON.stringify(resolve(import.meta.dirname, '../../src/index.ts'))}
  const query = new URLSearchParams(location.hash.slice(1))
  const [address, queryKey] = [query.get('address'), ['balance', query.get('address')]]
  const queryClient = new QueryClient()
  const storage = { storage: localStorage, serialize: toLosslessJson, deserialize: fromLosslessJson }
  const persister = createAsyncStoragePersister(storage)
  let requests = 0
  const fetcher = (...args) => (requests++, fetch(...args))
  /** Requests and results of the client, while it fetches nothing. */
  window.counts = () => queryClient.isFetching() ? null : { requests, results: queryClient.getQueryState(queryKey).dataUpdateCount }
  createApp({
    setup() {
      const rest = useChainRest()
      const { data, refetch } = useQuery(queryOptions({
        queryKey,
        queryFn: ({ signal }) => rest.getAddressBalance(address, { signal }),
        refetchInterval: Number(query.get('interval')) || false,
      }))
      Object.assign(window, { refetch, next: () => String(data.value.balanceExact + 1n) })
      return () => h('p', String(data.value?.balanceExact))
    },
  })
    .use(VueChain, { network: 'simnet', autoConnect: false, restUrl: '${restUrl}', rest: { fetcher } })
    .use(VueQueryPlugin, { queryClient, clientPersister: (client) => persistQueryClient({ queryClient: client, persister }) })
    .mount(document.body.appendChild(document.createElement('div')))
`

let browser: Browser
let built: BuiltPage
let devnode: Devnode
beforeAll(async () => {
  const utxos = ADDRESSES.map((name) => ({ address: addressOf(name), amount: RICH }))
  ;[browser, devnode] = await Promise.all([launch(), createDevnode({ blockInterval: 0, utxos })])
  built = await servePage(toPage(devnode.urls.rest))
})
afterAll(async () => {
  await Promise.all([browser.close(), devnode.close()])
  built.close()
})

/** A page of the app that shows the first balance. */
async function open(name: (typeof ADDRESSES)[number], interval = 0): Promise<Page> {
  const page = await browser.newPage()
  await page.goto(
    `${built.url}#${String(new URLSearchParams({ address: addressOf(name), interval: String(interval) }))}`,
  )
  await expect.poll(() => page.textContent('p')).toBe(String(RICH))
  return page
}

it('shows each change to an app whose own TanStack client polls, by a request for each result', async () => {
  const page = await open('polled', 50)
  for (const received of [1n, 2n, 3n]) {
    await devnode.fund(addressOf('polled'), KAS)
    await expect.poll(() => page.textContent('p')).toBe(String(RICH + received * KAS))
  }
  const counts = (): Promise<{ requests: number; results: number } | null> => page.evaluate('counts()')
  let last = await counts()
  await expect.poll(async () => (last = await counts())).not.toBeNull()
  expect(last?.results).toBeGreaterThan(3)
  expect(last?.requests).toBe(last?.results)
  await page.close()
})

it('sends one request for `refetch()`', async () => {
  const page = await open('refetched')
  await devnode.fund(addressOf('refetched'), KAS)
  expect(await page.evaluate('counts()')).toEqual({ requests: 1, results: 1 })
  await page.evaluate('refetch().then(() => undefined)')
  expect(await page.evaluate('counts()')).toEqual({ requests: 2, results: 2 })
  expect(await page.textContent('p')).toBe(String(RICH + KAS))
  await page.close()
})

it('restores exact bigints from localStorage after a reload', async () => {
  const page = await open('persisted')
  await expect.poll(() => page.evaluate('Object.values(localStorage).join()')).toContain(String(RICH))
  await page.route('**/balance', () => undefined) // never gets a response
  await page.reload()
  await expect.poll(() => page.textContent('p')).toBe(String(RICH))
  expect(await page.evaluate('next()')).toBe(String(RICH + 1n))
  await page.close()
})
