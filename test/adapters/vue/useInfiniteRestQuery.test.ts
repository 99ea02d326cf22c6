// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { useInfiniteRestQuery } from '../../../src/adapters/vue/composables/useInfiniteRestQuery.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { world } from '../../rest/recordings.js'
import { json, scriptFetch } from '../../rest/scripted-fetch.js'
import { withApp } from './with-app.js'

const { alice = '' } = world.addresses

/** Three pages of one transaction each: older ones before 300 and 200. */
const indexer = () =>
  scriptFetch(({ url }) => {
    const before = Number(new URL(url).searchParams.get('before') ?? 400)
    const next = before - 100
    const headers = next > 100 ? { 'x-next-page-before': String(next) } : {}
    return json([{ transaction_id: String(next / 100).repeat(64), block_time: next, outputs: [] }], { headers })
  })

it('fetches the pages of an address by their cursors', async () => {
  const { fetcher, sent } = indexer()
  const { result } = withApp(createScriptedNode(), () =>
    useInfiniteRestQuery({
      queryKey: ['transactions', alice],
      queryFn: ({ rest, pageParam }) =>
        rest.getAddressTransactionPage(alice, { limit: 1, before: pageParam, fields: 'transaction_id,block_time' }),
      initialPageParam: undefined as number | undefined,
      getNextPageParam: (page) => page.before,
      select: ({ pages }) => pages.flatMap(({ transactions }) => transactions.map(({ block_time }) => block_time)),
      rest: { baseUrl: 'https://indexer.test', fetcher },
    }),
  )
  await expect.poll(() => result.data.value).toEqual([300])
  expect(result.hasNextPage.value).toBe(true)
  await result.fetchNextPage()
  await result.fetchNextPage()
  expect([result.data.value, result.hasNextPage.value]).toEqual([[300, 200, 100], false])
  expect(sent.map(({ url }) => new URL(url).searchParams.get('before'))).toEqual([null, '300', '200'])
  await result.refetch()
  expect(result.data.value).toEqual([300, 200, 100])
  expect(sent).toHaveLength(6)
})
