// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { computed, shallowRef } from 'vue'
import { useChainRest } from '../../../src/adapters/vue/composables/useChainRest.js'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { useRestQuery } from '../../../src/adapters/vue/composables/useRestQuery.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { world } from '../../rest/recordings.js'
import { json, scriptFetch } from '../../rest/scripted-fetch.js'
import { withApp } from './with-app.js'

const { alice = '', bob = '' } = world.addresses
const BASE = { baseUrl: 'https://indexer.test' }

/** An indexer with these balances by address. */
const holdings = (amounts: Record<string, number>) =>
  scriptFetch(({ url }) => {
    const address = decodeURIComponent(url.split('/')[4] ?? '')
    return json({ address, balance: amounts[address] ?? 0 })
  })

it('works without a connection, and shares responses by base URL and headers', async () => {
  const { fetcher, sent } = holdings({ [alice]: 5 })
  const { result } = withApp(createScriptedNode(), () => ({
    one: useChainRest({ ...BASE, fetcher }),
    other: useChainRest({ baseUrl: `${BASE.baseUrl}/`, fetcher, staleTime: 60_000 }),
    keyed: useChainRest({ ...BASE, fetcher, headers: { 'api-key': 'k' } }),
  }))
  expect((await result.one.getAddressBalance(alice)).balanceExact).toBe(5n)
  await result.other.getAddressBalance(alice)
  expect(sent).toHaveLength(1)
  await result.keyed.getAddressBalance(alice)
  expect(sent.map(({ headers }) => headers.get('api-key'))).toEqual([null, 'k'])
})

it('shows base URL and cache size, reactively', async () => {
  const { fetcher } = holdings({})
  const { result } = withApp(createScriptedNode(), () => {
    const rest = useChainRest({ ...BASE, fetcher })
    return { ...rest, line: computed(() => `${rest.baseUrl.value} ${rest.cacheSize.value}`) }
  })
  expect(result.line.value).toBe('https://indexer.test 0')
  await result.getAddressBalance(alice)
  expect(result.line.value).toBe('https://indexer.test 1')
  result.clearCache('/addresses')
  expect(result.line.value).toBe('https://indexer.test 0')
})

it('follows the network, unless its base URL was set', async () => {
  const { result } = withApp(createScriptedNode(), () => ({
    network: useNetwork(),
    follows: useChainRest(),
    fixed: useChainRest(BASE),
  }))
  expect(result.follows.baseUrl.value).toBe('http://127.0.0.1:18000')
  await result.network.switchNetwork('testnet-10')
  expect([result.follows.baseUrl.value, result.fixed.baseUrl.value]).toEqual([
    'https://api-tn10.kaspa.org',
    'https://indexer.test',
  ])
  await expect(result.follows.getAddressBalance(alice)).rejects.toThrow(/another network than testnet-10/)
})

it('accepts addresses of the current network, although the base URL stays the same', async () => {
  const { fetcher } = scriptFetch(({ url }) =>
    json({ address: decodeURIComponent(url.split('/')[4] ?? ''), balance: 5 }),
  )
  const { result } = withApp(createScriptedNode(), () => ({ network: useNetwork(), rest: useChainRest({ fetcher }) }), {
    restUrl: 'https://plugin.test',
  })
  expect((await result.rest.getAddressBalance(alice)).balance).toBe(5)
  await result.network.switchNetwork('testnet-10')
  await expect(result.rest.getAddressBalance(alice)).rejects.toThrow(/another network than testnet-10/)
})

it('uses base URL and client options of the plugin', () => {
  const { result } = withApp(createScriptedNode(), () => useChainRest(), {
    restUrl: 'https://plugin.test/',
    rest: { staleTime: 5 },
  })
  expect(result.baseUrl.value).toBe('https://plugin.test')
})

it('has members that work without `this`', async () => {
  const { fetcher } = holdings({ [alice]: 5 })
  const { result } = withApp(createScriptedNode(), () => useChainRest({ ...BASE, fetcher }))
  const { getAddressBalance } = result
  expect((await getAddressBalance(alice)).balance).toBe(5)
})

it('fetches for a ref and again when it changes; not for null', async () => {
  const { fetcher, sent } = holdings({ [alice]: 5, [bob]: 7 })
  const address = shallowRef<string | null>(null)
  const { result } = withApp(createScriptedNode(), () =>
    useRestQuery({
      queryKey: ['balance', address],
      queryFn: ({ rest }) => rest.getAddressBalance(address.value ?? ''),
      enabled: () => address.value !== null,
      rest: { ...BASE, fetcher },
    }),
  )
  expect([result.isFetching.value, result.data.value, sent.length]).toEqual([false, undefined, 0])
  address.value = alice
  await expect.poll(() => result.data.value?.balance).toBe(5)
  address.value = bob
  expect(result.data.value).toBeUndefined()
  await expect.poll(() => result.data.value?.balance).toBe(7)
})

it('fetches with other headers once they change', async () => {
  const { fetcher } = scriptFetch(({ headers }) => json({ address: alice, balance: Number(headers.get('api-key')) }))
  const key = shallowRef('1')
  const { result } = withApp(createScriptedNode(), () =>
    useRestQuery(() => ({
      queryKey: ['balance'],
      queryFn: ({ rest }) => rest.getAddressBalance(alice),
      rest: { ...BASE, fetcher, headers: { 'api-key': key.value } },
    })),
  )
  await expect.poll(() => result.data.value?.balance).toBe(1)
  key.value = '2'
  await expect.poll(() => result.data.value?.balance).toBe(2)
})

it('shows an error beside the last result, and refetches bypassing the cache', async () => {
  const { fetcher, sent } = scriptFetch(
    json({ address: alice, balance: 1 }),
    json({ detail: 'teapot' }, { status: 418 }),
    json({ address: alice, balance: 2 }),
  )
  const { result } = withApp(createScriptedNode(), () =>
    useRestQuery({
      queryKey: ['balance'],
      queryFn: ({ rest }) => rest.getAddressBalance(alice),
      rest: { ...BASE, fetcher },
    }),
  )
  await expect.poll(() => result.data.value?.balance).toBe(1)
  await result.refetch()
  expect([result.data.value?.balance, result.error.value?.message]).toEqual([1, expect.stringContaining('teapot')])
  await result.refetch()
  expect([result.data.value?.balance, result.error.value]).toEqual([2, null])
  expect(sent).toHaveLength(3)
})

it('fetches only once read, and aborts the request with its component', async () => {
  const { fetcher, sent } = scriptFetch(() => new Promise<Response>(() => undefined))
  const { result, unmount } = withApp(createScriptedNode(), () =>
    useRestQuery({
      queryKey: ['balance'],
      queryFn: ({ rest }) => rest.getAddressBalance(alice),
      rest: { ...BASE, fetcher },
    }),
  )
  expect(sent).toEqual([])
  expect(result.isFetching.value).toBe(true)
  await expect.poll(() => sent.length).toBe(1)
  unmount()
  await expect.poll(() => sent[0]?.signal.aborted).toBe(true)
})

it('fetches from the indexer of another network after a switch', async () => {
  const { fetcher, sent } = scriptFetch(({ url }) => json({ blueScore: url.includes('tn10') ? 10 : 1 }))
  const { result } = withApp(createScriptedNode(), () => ({
    network: useNetwork(),
    tip: useRestQuery({
      queryKey: ['tip'],
      queryFn: ({ rest }) => rest.getVirtualSelectedParentBlueScore(),
      rest: { fetcher },
    }),
  }))
  await expect.poll(() => result.tip.data.value?.blueScore).toBe(1)
  await result.network.switchNetwork('testnet-10')
  expect(result.tip.data.value).toBeUndefined()
  await expect.poll(() => result.tip.data.value?.blueScore).toBe(10)
  expect(sent).toHaveLength(2)
})
