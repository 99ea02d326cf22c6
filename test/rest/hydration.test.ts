import { describe, expect, it } from 'vitest'
import { createRestClient } from '../../src/rest/client.js'
import { dehydrateRest, hydrateRest } from '../../src/rest/hydration.js'
import { world } from './recordings.js'
import { json, scriptFetch, noResponse } from './scripted-fetch.js'

const { alice = '' } = world.addresses
const BASE = { baseUrl: 'https://indexer.test' }

describe('responses hydrated in the browser', () => {
  it('keep bigints and are not fetched again', async () => {
    const server = scriptFetch(json(`{"address":"${alice}","balance":2899999999999999999}`))
    const rendering = createRestClient({ ...BASE, fetcher: server.fetcher })
    const rendered = await rendering.getAddressBalance(alice)
    const page = dehydrateRest(rendering)

    const browser = scriptFetch(noResponse)
    const rest = createRestClient({ ...BASE, fetcher: browser.fetcher })
    hydrateRest(rest, page)
    expect(await rest.getAddressBalance(alice)).toEqual(rendered)
    expect(rendered.balanceExact).toBe(2_899_999_999_999_999_999n)
    expect(browser.sent).toEqual([])
  })

  it('are not dated ahead of the browser’s clock', async () => {
    const { fetcher } = scriptFetch(json({ address: alice, balance: 1 }))
    const rendering = createRestClient({ ...BASE, fetcher })
    await rendering.getAddressBalance(alice)
    const ahead = rendering.cache.entries().map((entry) => ({ ...entry, at: entry.at + 3_600_000 }))
    const rest = createRestClient(BASE)
    hydrateRest(rest, dehydrateRest({ cache: { ...rendering.cache, entries: () => ahead } }))
    expect(rest.cache.entries()[0]?.at).toBeLessThanOrEqual(Date.now())
  })

  it('are escaped for a script element', async () => {
    const { fetcher } = scriptFetch(json([{ address: alice, name: '</script><script>alert(1)</script>' }]))
    const rest = createRestClient({ ...BASE, fetcher })
    await rest.getAddressNames()
    const page = dehydrateRest(rest)
    expect(page).not.toContain('<')
    const other = createRestClient(BASE)
    hydrateRest(other, page)
    expect(await other.getAddressNames()).toEqual(await rest.getAddressNames())
  })
})
