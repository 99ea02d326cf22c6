import { QueryClient, QueryObserver } from '@tanstack/query-core'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { ref } from 'vue'
import { queryOptions, unwrapOptions } from '../../../src/adapters/vue/composables/reactive-query.js'
import type { UseRestQueryOptions } from '../../../src/adapters/vue/composables/useRestQuery.js'
import { createRestClient } from '../../../src/rest/client.js'
import { world } from '../../rest/recordings.js'
import { json, scriptFetch } from '../../rest/scripted-fetch.js'
import type { UseRpcQueryOptions } from '../../../src/adapters/vue/composables/useRpcQuery.js'

it('follows refs and getters in the key at any depth, and in the options as a whole', () => {
  const address = ref('a')
  const options = () => ({ queryKey: ['x', address, { limit: () => 5n, list: [address] }], enabled: ref(false) })
  expect(unwrapOptions(options)).toEqual({ queryKey: ['x', 'a', { limit: 5n, list: ['a'] }], enabled: false })
  expect(unwrapOptions({ queryKey: ['x'] })).toEqual({ queryKey: ['x'], enabled: true })
})

it('makes options that a TanStack client takes, bigints in the key included', async () => {
  const client = new QueryClient()
  const options = queryOptions({
    queryKey: ['balance', 1n],
    queryFn: ({ queryKey, signal }) => Promise.resolve({ queryKey, isAborted: signal.aborted }),
    select: ({ isAborted }) => isAborted,
  })
  const { queryKey, queryFn, queryKeyHashFn } = options
  const fetched = client.query({ queryKey, queryFn, queryKeyHashFn })
  await expect(fetched).resolves.toEqual({ queryKey: ['balance', 1n], isAborted: false })
  expect(options).toMatchObject({ networkMode: 'always', retry: false })
  client.clear()
})

it('makes options that both composables take', () => {
  const options = queryOptions({ queryKey: ['x'], queryFn: () => Promise.resolve(1), select: String })
  expectTypeOf(options).toExtend<UseRpcQueryOptions<number, string>>()
  expectTypeOf(options).toExtend<UseRestQueryOptions<number, string>>()
})

describe('in a TanStack client', () => {
  const { alice = '' } = world.addresses
  const balances = () =>
    scriptFetch(
      ...[1, 2, 3].map((balance) => json({ address: alice, balance }, { headers: { 'cache-control': 'max-age=60' } })),
    )

  it('sends a request for each fetch, although the response is fresh by its server', async () => {
    const { fetcher, sent } = balances()
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    const { queryKey, queryFn, queryKeyHashFn } = queryOptions({
      queryKey: ['balance', alice],
      queryFn: ({ signal }) => rest.getAddressBalance(alice, { signal }),
    })
    const client = new QueryClient()
    const options = { queryKey, queryFn, queryKeyHashFn, staleTime: 0 }
    for (const balance of [1, 2, 3]) expect(await client.query(options)).toMatchObject({ balance })
    expect(sent.map(({ cache }) => cache)).toEqual(['reload', 'reload', 'reload'])
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 3 }) // cached for other calls
    client.clear()
  })

  it('joins a request in flight', async () => {
    const { fetcher, sent } = balances()
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    const { queryKey, queryFn, queryKeyHashFn } = queryOptions({
      queryKey: ['balance', alice],
      queryFn: ({ signal }) => rest.getAddressBalance(alice, { signal }),
    })
    const client = new QueryClient()
    const [own, theirs] = await Promise.all([
      rest.getAddressBalance(alice),
      client.query({ queryKey, queryFn, queryKeyHashFn }),
    ])
    expect(own).toBe(theirs)
    expect(sent).toHaveLength(1)
    client.clear()
  })

  it('is aborted by its client only where the query function reads the signal', async () => {
    const client = new QueryClient()
    const controllers: AbortSignal[] = []
    const observe = (queryFn: (context: { signal: AbortSignal }) => Promise<unknown>) => {
      const { queryKey, queryKeyHashFn, ...options } = queryOptions({
        queryKey: [controllers.length, String(queryFn)],
        queryFn,
      })
      const unsubscribe = new QueryObserver(client, { queryKey, queryKeyHashFn, queryFn: options.queryFn }).subscribe(
        () => undefined,
      )
      unsubscribe()
      return client.getQueryCache().find({ queryKey })?.state.fetchStatus
    }
    const pending = new Promise<never>(() => undefined)
    expect(observe(() => pending)).toBe('fetching')
    expect(observe(({ signal }) => (controllers.push(signal), pending))).toBe('idle')
    expect(controllers.map(({ aborted }) => aborted)).toEqual([true])
    client.clear()
  })
})
