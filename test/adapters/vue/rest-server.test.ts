import { describe, expect, it, vi } from 'vitest'
import { createSSRApp, h } from 'vue'
import { renderToString } from 'vue/server-renderer'
import { useChainRest } from '../../../src/adapters/vue/composables/useChainRest.js'
import { useRestQuery } from '../../../src/adapters/vue/composables/useRestQuery.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { dehydrateRest, hydrateRest } from '../../../src/rest/hydration.js'
import type { RestCache } from '../../../src/rest/requests/store.js'
import { world } from '../../rest/recordings.js'
import { json, noResponse, scriptFetch, type ScriptedFetch } from '../../rest/scripted-fetch.js'

const { alice = '' } = world.addresses

/** A page that shows a balance and exposes its REST cache. */
function page({ fetcher }: ScriptedFetch, holders: { cache: RestCache }[], hydrate?: string) {
  const options = { baseUrl: 'https://indexer.test', fetcher }
  return createSSRApp({
    setup() {
      const rest = useChainRest(options)
      holders.push(rest)
      if (hydrate !== undefined) hydrateRest(rest, hydrate)
      const { data, isFetching } = useRestQuery({
        queryKey: ['balance', alice],
        queryFn: ({ rest: client }) => client.getAddressBalance(alice),
        rest: options,
      })
      return () =>
        h('p', isFetching.value ? 'loading' : `${data.value?.balanceExact ?? 'unknown'} ${rest.cacheSize.value > 0}`)
    },
  }).use(VueChain, { network: 'simnet' })
}

const rich = () => scriptFetch(json(`{"address":"${alice}","balance":9007199254740993}`))

describe('a server-rendered page', () => {
  it('contains the result, and transfers it without a second request', async () => {
    const holders: { cache: RestCache }[] = []
    const [server, second] = [rich(), rich()]
    const html = await renderToString(page(server, holders))
    expect(html).toBe('<p>9007199254740993 true</p>')
    expect(server.sent).toHaveLength(1)
    expect(await renderToString(page(second, [], dehydrateRest(holders[0]!)))).toBe(html)
    expect(second.sent).toEqual([])
  })

  it('isolates the results of concurrent requests', async () => {
    const other = scriptFetch(json(`{"address":"${alice}","balance":5}`))
    const html = await Promise.all([renderToString(page(rich(), [])), renderToString(page(other, []))])
    expect(html).toEqual(['<p>9007199254740993 true</p>', '<p>5 true</p>'])
  })
})

it('does not wait for a slow indexer longer than five seconds', async () => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] })
  const app = createSSRApp({
    setup() {
      const { error } = useRestQuery({
        queryKey: ['score'],
        queryFn: ({ rest }) => rest.getVirtualSelectedParentBlueScore(),
      })
      return () => h('p', error.value?.message ?? 'none')
    },
  }).use(VueChain, { network: 'simnet', rest: { fetcher: scriptFetch(noResponse).fetcher } })
  const html = renderToString(app)
  await vi.advanceTimersByTimeAsync(4_000)
  await vi.advanceTimersByTimeAsync(1_500)
  expect(await html).toContain('5000 ms have passed')
  vi.useRealTimers()
})
