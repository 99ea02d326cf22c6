// @vitest-environment happy-dom
import { persistQueryClient } from '@tanstack/query-persist-client-core'
import { createAsyncStoragePersister } from '@tanstack/query-async-storage-persister'
import { QueryClient, VueQueryPlugin, dehydrate, hydrate, useQuery, type DehydratedState } from '@tanstack/vue-query'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { createApp, defineComponent, h } from 'vue'
import { queryOptions } from '../../../src/adapters/vue/composables/reactive-query.js'
import { useChainRest } from '../../../src/adapters/vue/composables/useChainRest.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { fromLosslessJson, toLosslessJson } from '../../../src/model/lossless-json.js'
import { world } from '../../rest/recordings.js'
import { json, scriptFetch, type ScriptedFetch } from '../../rest/scripted-fetch.js'

const { alice = '' } = world.addresses
const RICH = 9007199254740993n
const QUERY_KEY = ['balance', alice]

/** A server whose balances grow by one with each request and may be cached for a minute. */
const growing = (): ScriptedFetch => {
  let balance = RICH
  const headers = { 'cache-control': 'public, max-age=60' }
  return scriptFetch(() => json(`{"address":"${alice}","balance":${balance++}}`, { headers }))
}

/** A component that shows the balance through the app's own TanStack client. */
const Balance = defineComponent(() => {
  const rest = useChainRest()
  const options = queryOptions({
    queryKey: QUERY_KEY,
    queryFn: ({ signal }) => rest.getAddressBalance(alice, { signal }),
    refetchInterval: 1_000,
  })
  const { data } = useQuery(options)
  return () => h('p', String(data.value?.balanceExact ?? '–'))
})

function mountWith({ fetcher }: ScriptedFetch, queryClient: QueryClient) {
  const root = document.createElement('div')
  const app = createApp(Balance)
    .use(VueChain, { network: 'simnet', autoConnect: false, restUrl: 'https://indexer.test', rest: { fetcher } })
    .use(VueQueryPlugin, { queryClient })
  app.mount(root)
  return { root, unmount: () => app.unmount() }
}

/** Runs what is due: requests, their responses, notifications of the clients. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await vi.advanceTimersByTimeAsync(0)
}

beforeEach(async () => {
  await import('../../../src/rest/operations.js') // loaded with the first request
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
  localStorage.clear()
})

it('shows the change of each refetch of the app’s own client', async () => {
  const server = growing()
  const client = new QueryClient()
  const { root, unmount } = mountWith(server, client)
  const shown = new Set<string>()
  for (let second = 0; second < 25; second++) {
    await settle()
    expect(server.sent).toHaveLength(second + 1)
    expect(root.textContent).toBe(String(RICH + BigInt(second)))
    shown.add(root.textContent)
    vi.advanceTimersByTime(1_000)
  }
  expect(shown.size).toBe(25)
  unmount()
  client.clear()
})

it('persists records with bigints in the storage of the app’s own client, and restores them', async () => {
  const persister = createAsyncStoragePersister({
    storage: localStorage,
    throttleTime: 0,
    serialize: toLosslessJson,
    deserialize: (text) => fromLosslessJson(text) as ReturnType<typeof JSON.parse>,
  })
  const [before, after] = [new QueryClient(), new QueryClient()]
  const [stop] = persistQueryClient({ queryClient: before, persister })
  const { root, unmount } = mountWith(growing(), before)
  await settle()
  expect(root.textContent).toBe(String(RICH))
  await vi.advanceTimersByTimeAsync(10)
  await settle()
  expect(localStorage.length).toBe(1)
  stop()
  unmount()

  const [stopAfter, restored] = persistQueryClient({ queryClient: after, persister })
  await restored
  expect(after.getQueryData(QUERY_KEY)).toMatchObject({ balanceExact: RICH })
  stopAfter()
  for (const client of [before, after]) client.clear()
})

it('carries the dehydrated state of the app’s own client through JSON', async () => {
  const [server, browser] = [new QueryClient(), new QueryClient()]
  const { root, unmount } = mountWith(growing(), server)
  await settle()
  expect(root.textContent).toBe(String(RICH))
  hydrate(browser, fromLosslessJson(toLosslessJson(dehydrate(server))) as DehydratedState)
  expect(browser.getQueryData(QUERY_KEY)).toEqual(server.getQueryData(QUERY_KEY))
  unmount()
  for (const client of [server, browser]) client.clear()
})
