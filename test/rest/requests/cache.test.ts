import { transactionId } from '../../../src/model/transaction-id.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firstValueFrom, take, toArray } from 'rxjs'
import { createRestClient } from '../../../src/rest/client.js'
import type { ChainRestOptions } from '../../../src/rest/options.js'
import { world } from '../recordings.js'
import { json, scriptFetch, noResponse, type Reply } from '../scripted-fetch.js'
import { RELAYABLE } from '../../relayable-transaction.js'

const { alice = '', bob = '' } = world.addresses
const TX = world.transactions.plain ?? ''

/** A client of a server with scripted replies. */
function clientOf(options: ChainRestOptions, ...replies: Reply[]) {
  const { fetcher, sent } = scriptFetch(...replies)
  return { rest: createRestClient({ baseUrl: 'https://indexer.test', retries: 0, ...options, fetcher }), sent }
}

const score = (blueScore: number, cacheControl?: string) =>
  json({ blueScore }, cacheControl === undefined ? {} : { headers: { 'cache-control': cacheControl } })
const balance = (sompi: number) =>
  json({ address: alice, balance: sompi }, { headers: { 'cache-control': 'public, max-age=8' } })

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

const ID = transactionId(RELAYABLE)

describe('a fresh response', () => {
  it('is returned without another request', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    await rest.getAddressBalance(alice)
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 1 })
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['max-age', 'public, max-age=2', 1_999, 2_000],
    ['no-store', 'no-store', 0, 1],
    ['no-cache', 'no-cache', 0, 1],
    ['none, by operation', undefined, 4_999, 5_000],
  ])('is fresh as long as the server grants: %s', async (_, header, stillFresh, tooOld) => {
    const { rest, sent } = clientOf({}, score(1, header), score(2, header))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(stillFresh)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent).toHaveLength(stillFresh === 0 ? 2 : 1)
    vi.advanceTimersByTime(tooOld - stillFresh)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent.length).toBeGreaterThan(1)
  })

  it('is not fresh after the clock was set back', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    await rest.getAddressBalance(alice)
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 2 })
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 2 })
    expect(sent).toHaveLength(2)
  })

  it('is fresh for max-age minus `Age`', async () => {
    const old = json({ blueScore: 1 }, { headers: { 'cache-control': 'max-age=60', age: '50' } })
    const { rest, sent } = clientOf({}, old, score(2))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(9_999)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 2 })
  })

  it('follows the client’s staleTime before the server’s max-age', async () => {
    const { rest, sent } = clientOf({ staleTime: 60_000 }, score(1, 'max-age=1'))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(59_999)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent).toHaveLength(1)
  })

  it('follows the call’s staleTime before the client’s', async () => {
    const { rest, sent } = clientOf({ staleTime: 60_000 }, score(1), score(2))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(10)
    expect(await rest.getVirtualSelectedParentBlueScore({ staleTime: 5 })).toEqual({ blueScore: 2 })
    expect(sent).toHaveLength(2)
  })

  it('is bypassed by forceRefresh, as are HTTP caches', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    await rest.getAddressBalance(alice)
    expect(await rest.getAddressBalance(alice, { forceRefresh: true })).toMatchObject({ balance: 2 })
    expect(sent.map(({ cache }) => cache)).toEqual(['default', 'reload'])
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 2 })
  })

  it('is neither read nor cached with `cache: false`, in HTTP caches either', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    await rest.getAddressBalance(alice, { cache: false })
    expect(rest.cacheSize).toBe(0)
    expect(await rest.getAddressBalance(alice, { cache: false })).toMatchObject({ balance: 2 })
    expect(sent.map(({ cache }) => cache)).toEqual(['no-store', 'no-store'])
  })

  it('is never an error', async () => {
    const { rest } = clientOf({}, json({}, { status: 500 }), balance(2))
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 500 })
    expect(rest.cacheSize).toBe(0)
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 2 })
  })

  it('with status 404 expires after three seconds, whatever the options are', async () => {
    const unknown = json(
      { detail: 'Transaction not found' },
      { status: 404, headers: { 'cache-control': 'max-age=600' } },
    )
    const { rest, sent } = clientOf({ staleTime: 600_000 }, unknown)
    expect(await rest.getTransaction(TX)).toBeNull()
    vi.advanceTimersByTime(2_999)
    await rest.getTransaction(TX)
    expect(sent).toHaveLength(1)
    vi.advanceTimersByTime(1)
    await rest.getTransaction(TX)
    expect(sent).toHaveLength(2)
  })

  it('of an unaccepted transaction expires after seconds', async () => {
    const unaccepted = json(
      { transaction_id: TX, is_accepted: false },
      { headers: { 'cache-control': 'max-age=86400' } },
    )
    const { rest, sent } = clientOf({}, unaccepted)
    await rest.getTransaction(TX)
    vi.advanceTimersByTime(2_000)
    await rest.getTransaction(TX)
    expect(sent.map(({ cache }) => cache)).toEqual(['default', 'reload']) // an HTTP cache may keep it for a day
  })

  it('of an accepted transaction is fresh for the day that the server grants', async () => {
    const accepted = json({ transaction_id: TX, is_accepted: true }, { headers: { 'cache-control': 'max-age=86400' } })
    const { rest, sent } = clientOf({ cacheTime: Infinity }, accepted)
    await rest.getTransaction(TX)
    vi.advanceTimersByTime(86_399_000)
    await rest.getTransaction(TX)
    expect(sent).toHaveLength(1)
  })

  it('of an unhealthy server is never cached', async () => {
    const unhealthy = json({ kaspadServers: [], database: {} }, { status: 503 })
    const { rest, sent } = clientOf({ staleTime: 600_000 }, unhealthy)
    expect(await rest.getHealth()).toEqual({ chaindServers: [], database: {} })
    await rest.getHealth()
    expect(sent).toHaveLength(2)
  })

  it('of a reading POST is cached by its body', async () => {
    const { rest, sent } = clientOf({}, json([{ address: alice, balance: 1 }]), json([{ address: bob, balance: 2 }]))
    await rest.getBalancesByAddresses([alice])
    await rest.getBalancesByAddresses([bob])
    await rest.getBalancesByAddresses([alice])
    expect(sent).toHaveLength(2)
  })
})

describe('a stale response', () => {
  it('is returned during revalidation if the call allows it', async () => {
    const { rest, sent } = clientOf({}, score(1, 'max-age=1'), score(2, 'max-age=1'))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(1_500)
    expect(await rest.getVirtualSelectedParentBlueScore({ staleWhileRevalidate: 1_000 })).toEqual({ blueScore: 1 })
    await vi.waitFor(async () => expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 2 }))
    expect(sent).toHaveLength(2)
  })

  it('is returned as long as the server grants', async () => {
    const header = 'public, max-age=600, stale-while-revalidate=300'
    const { rest, sent } = clientOf({ cacheTime: Infinity }, score(1, header), score(2, header))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(899_999)
    expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 1 })
    await vi.waitFor(async () => expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 2 }))
    vi.advanceTimersByTime(899_999)
    expect(await rest.getVirtualSelectedParentBlueScore({ staleWhileRevalidate: 0 })).toEqual({ blueScore: 2 })
    expect(sent).toHaveLength(3)
  })

  it('is revalidated after its caller aborts', async () => {
    const { rest, sent } = clientOf({}, score(1, 'max-age=1'), score(2, 'max-age=1'))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(1_500)
    const caller = new AbortController()
    await rest.getVirtualSelectedParentBlueScore({ staleWhileRevalidate: 1_000, signal: caller.signal })
    caller.abort()
    await vi.waitFor(async () => expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 2 }))
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([false, false])
  })

  it('stays usable after a failed revalidation', async () => {
    const { rest } = clientOf({}, score(1, 'max-age=1'), json({}, { status: 500 }))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(1_500)
    await expect(rest.getVirtualSelectedParentBlueScore()).rejects.toMatchObject({ status: 500 })
    expect(await rest.getVirtualSelectedParentBlueScore({ staleWhileRevalidate: 5_000 })).toEqual({ blueScore: 1 })
  })
})

describe('concurrent equal calls', () => {
  it('share one request', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    const results = await Promise.all([rest.getAddressBalance(alice), rest.getAddressBalance(alice)])
    expect(results[0]).toBe(results[1])
    expect(sent).toHaveLength(1)
  })

  it('share a failure', async () => {
    const { rest, sent } = clientOf({}, json({}, { status: 500 }))
    const results = await Promise.allSettled([rest.getAddressBalance(alice), rest.getAddressBalance(alice)])
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(sent).toHaveLength(1)
  })

  it('are two requests if the second forces a refresh', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    const [first, second] = await Promise.all([
      rest.getAddressBalance(alice),
      rest.getAddressBalance(alice, { forceRefresh: true }),
    ])
    expect([first.balance, second.balance]).toEqual([1, 2])
    expect(sent).toHaveLength(2)
  })
})

describe('the cache', () => {
  it('is cleared completely, or by a prefix of path, URL or cacheKey', async () => {
    const fill = async () => {
      const { rest } = clientOf({}, (sent) => (sent.url.endsWith('balance') ? balance(1) : json({ price: 1 })))
      await rest.getAddressBalance(alice)
      await rest.request('GET', '/info/price')
      await rest.request('GET', '/info/other', { cacheKey: 'mine:1' })
      expect(rest.cacheSize).toBe(3)
      return rest
    }
    for (const [prefix, left] of [
      [undefined, 0],
      ['/addresses', 2],
      ['https://indexer.test/info/price', 2],
      ['mine:', 2],
      ['/nowhere', 3],
    ] as const) {
      const rest = await fill()
      rest.clearCache(prefix)
      expect([prefix, rest.cacheSize]).toEqual([prefix, left])
    }
  })

  it('requests what was cleared past HTTP caches, and other responses through them', async () => {
    const { rest, sent } = clientOf({}, (request) =>
      request.url.endsWith('balance') ? balance(1) : json({ price: 1 }),
    )
    rest.clearCache(`/addresses/${encodeURIComponent(alice)}/`)
    await rest.getAddressBalance(alice)
    await rest.getPrice()
    rest.clearCache()
    await rest.getPrice()
    expect(sent.map(({ cache }) => cache)).toEqual(['reload', 'default', 'reload'])
  })

  it('counts every path as cleared after many prefixes', async () => {
    const { rest, sent } = clientOf({}, json({ price: 1 }))
    for (let at = 0; at < 101; at++) rest.clearCache(`/prefix/${at}/`)
    await rest.getPrice()
    expect(sent.map(({ cache }) => cache)).toEqual(['reload'])
  })

  it('does not store a response that was in flight when it was cleared', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    const before = rest.getAddressBalance(alice)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    rest.clearCache()
    const after = rest.getAddressBalance(alice)
    expect((await before).balance).toBe(1)
    expect((await after).balance).toBe(2)
    expect((await rest.getAddressBalance(alice)).balance).toBe(2)
  })

  it('emits its size only when it changes', async () => {
    const { rest } = clientOf({}, balance(1))
    const sizes = firstValueFrom(rest.cacheSize$.pipe(take(3), toArray()))
    await rest.getAddressBalance(alice)
    await rest.getAddressBalance(alice, { forceRefresh: true })
    rest.clearCache()
    expect(await sizes).toEqual([0, 1, 0])
  })

  it('removes unused responses after `cacheTime`', async () => {
    const { rest } = clientOf({ cacheTime: 1_000, staleTime: 10_000 }, balance(1))
    await rest.getAddressBalance(alice)
    vi.advanceTimersByTime(900)
    await rest.getAddressBalance(alice)
    vi.advanceTimersByTime(999)
    expect(rest.cacheSize).toBe(1)
    vi.advanceTimersByTime(1)
    expect(rest.cacheSize).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('removes responses of addresses after a submission', async () => {
    const { rest, sent } = clientOf({}, (request) =>
      request.method === 'POST' ? json({ transactionId: ID }) : balance(1),
    )
    await rest.getAddressBalance(alice)
    await rest.submitTransaction(RELAYABLE)
    await rest.getAddressBalance(alice)
    expect(sent.map(({ cache }) => cache)).toEqual(['default', 'no-store', 'reload'])
  })

  it('removes them after a failed submission too', async () => {
    const { rest } = clientOf({}, balance(1), json({}, { status: 500 }), balance(2))
    await rest.getAddressBalance(alice)
    await expect(rest.submitTransaction(RELAYABLE)).rejects.toMatchObject({ status: 500 })
    expect((await rest.getAddressBalance(alice)).balance).toBe(2)
  })

  it('exports its entries, and imports them unless it has newer ones', async () => {
    const server = clientOf({}, balance(1)).rest
    await server.getAddressBalance(alice)
    const { rest, sent } = clientOf({}, balance(2))
    rest.cache.put(server.cache.entries())
    expect((await rest.getAddressBalance(alice)).balanceExact).toBe(1n)
    expect(sent).toEqual([])
    vi.advanceTimersByTime(9_000)
    await rest.getAddressBalance(alice)
    rest.cache.put(server.cache.entries())
    expect((await rest.getAddressBalance(alice)).balanceExact).toBe(2n)
  })

  it('rejects calls of the same tick as `dispose`, and later ones as disposed, and stores nothing', async () => {
    const { rest, sent } = clientOf({}, balance(1))
    await rest.getAddressBalance(alice)
    const entries = rest.cache.entries()
    const sameTick = rest.getAddressBalance(bob)
    rest.dispose()
    await expect(sameTick).rejects.toMatchObject({
      code: 'aborted',
      hint: 'The client was disposed: create a new one.',
    })
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({
      code: 'disposed',
      message: 'REST request GET https://indexer.test was not sent: the client was disposed',
    })
    await expect(rest.getFullTransactionsByAddressPages(alice)[Symbol.asyncIterator]().next()).rejects.toMatchObject({
      code: 'disposed',
    })
    rest.cache.put(entries)
    expect([rest.cacheSize, sent.length]).toEqual([0, 1])
  })

  it('rejects a first call of the same tick as `dispose` without a request', async () => {
    const { rest, sent } = clientOf({}, balance(1))
    const sameTick = rest.getAddressBalance(alice)
    rest.dispose()
    await expect(sameTick).rejects.toMatchObject({ code: 'aborted' })
    expect([rest.cacheSize, sent]).toEqual([0, []])
  })

  it('starts no further request of a call in flight after `dispose`', async () => {
    const { rest, sent } = clientOf({}, noResponse, balance(2))
    const first = expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ code: 'aborted' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    const forced = expect(rest.getAddressBalance(alice, { forceRefresh: true })).rejects.toMatchObject({
      code: 'aborted',
    })
    await vi.waitFor(() => Promise.resolve())
    rest.dispose()
    await Promise.all([first, forced])
    expect([rest.cacheSize, sent.length]).toEqual([0, 1])
  })

  it('is cleared with its client, and calls in flight reject', async () => {
    const { rest, sent } = clientOf({}, noResponse)
    const ended = expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ code: 'aborted' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    rest.dispose()
    await ended
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
