import { describe, expect, it, vi } from 'vitest'
import { createSharedCache } from '../../../src/rest/shared-cache.js'
import { createClientOn } from '../../../src/rest/client.js'
import type { ChainRestOptions } from '../../../src/rest/options.js'
import { world } from '../recordings.js'
import { json, scriptFetch, noResponse, type Reply } from '../scripted-fetch.js'
import { turn } from '../../turn.js'
import { RELAYABLE } from '../../relayable-transaction.js'

const { alice = '', bob = '' } = world.addresses

/** Two clients of one server on one shared cache, as components of an app use it. */
function createSharingClients(options: ChainRestOptions, ...replies: Reply[]) {
  const { fetcher, sent } = scriptFetch(...replies)
  const all = { baseUrl: 'https://indexer.test', retries: 0, ...options, fetcher }
  const cache = createSharedCache()
  return { one: createClientOn(cache, all), other: createClientOn(cache, all), cache, sent }
}

const balance = (sompi: number) => json({ address: alice, balance: sompi })

describe('clients with a shared cache', () => {
  it('never share requests with side effects', async () => {
    const { one, other, sent } = createSharingClients({}, json({ done: 1 }), json({ done: 2 }))
    const done = await Promise.all([one, other].map((rest) => rest.request('POST', '/effects', { body: {} })))
    expect([sent.length, done]).toEqual([2, [{ done: 1 }, { done: 2 }]])
  })

  it('never abort each other’s submission', async () => {
    const { one, other, sent } = createSharingClients({}, noResponse)
    const leaving = new AbortController()
    const transaction = RELAYABLE
    const ended = expect(one.submitTransaction(transaction, { signal: leaving.signal })).rejects.toThrow()
    const ofOther = expect(other.submitTransaction(transaction)).rejects.toThrow(/aborted/)
    await vi.waitFor(() => expect(sent).toHaveLength(2))
    leaving.abort()
    await ended
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([true, false])
    other.dispose()
    await ofOther
  })

  it('share the `concurrency` limit', async () => {
    const { one, other, cache, sent } = createSharingClients({ concurrency: 1 }, noResponse)
    const calls = [one.getAddressBalance(alice), other.getAddressBalance(bob), other.getAddressNames()]
    const ended = Promise.allSettled(calls)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    await turn()
    expect(sent).toHaveLength(1)
    cache.dispose()
    await ended
  })
})

describe('a key cleared during its refresh', () => {
  it('returns neither the old response nor the one in flight', async () => {
    const arrivals: ((found: Response) => void)[] = []
    const slow = () => new Promise<Response>((resolve) => arrivals.push(resolve))
    const { one: rest, sent } = createSharingClients({}, balance(1), slow, balance(3))
    await rest.getAddressBalance(alice)
    const refreshed = rest.getAddressBalance(alice, { forceRefresh: true })
    await vi.waitFor(() => expect(arrivals).toHaveLength(1))
    const sizes: number[] = []
    rest.cacheSize$.subscribe((size) => sizes.push(size))
    rest.clearCache('/addresses/')
    expect([rest.cacheSize, sizes]).toEqual([0, [1, 0]])
    const after = rest.getAddressBalance(alice)
    arrivals[0]?.(balance(2))
    expect([(await refreshed).balance, (await after).balance, sent.length]).toEqual([2, 3, 3])
  })
})
