import { QueryClient } from '@tanstack/query-core'
import { expect, expectTypeOf, it } from 'vitest'
import { ref } from 'vue'
import { queryOptions, unwrapOptions } from '../../../src/adapters/vue/composables/query-options.js'
import type { UseRestQueryOptions } from '../../../src/adapters/vue/composables/useRestQuery.js'
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
