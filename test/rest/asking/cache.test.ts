import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { firstValueFrom, take, toArray } from 'rxjs'
import { createRestClient } from '../../../src/rest/client.js'
import type { ChainRestOptions } from '../../../src/rest/options.js'
import { world } from '../recordings.js'
import { json, scriptFetch, silence, type Reply } from '../scripted-fetch.js'

const { alice = '', bob = '' } = world.addresses
const TX = world.transactions.plain ?? ''

/** A client of a server that says these things. */
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

describe('a fresh answer', () => {
  it('is given without asking again', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    await rest.getAddressBalance(alice)
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 1 })
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['max-age', 'public, max-age=2', 1_999, 2_000],
    ['no-store', 'no-store', 0, 1],
    ['no-cache', 'no-cache', 0, 1],
    ['nothing, which leaves it to the operation', undefined, 4_999, 5_000],
  ])('stands as long as the server says: %s', async (_, header, stillFresh, tooOld) => {
    const { rest, sent } = clientOf({}, score(1, header), score(2, header))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(stillFresh)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent).toHaveLength(stillFresh === 0 ? 2 : 1)
    vi.advanceTimersByTime(tooOld - stillFresh)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent.length).toBeGreaterThan(1)
  })

  it('has spent part of its time where a cache on the way has had it: `Age` is taken off', async () => {
    const old = json({ blueScore: 1 }, { headers: { 'cache-control': 'max-age=60', age: '50' } })
    const { rest, sent } = clientOf({}, old, score(2))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(9_999)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent).toHaveLength(1)
    vi.advanceTimersByTime(1)
    expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 2 })
  })

  it('stands as long as the client’s options say, whatever the server says', async () => {
    const { rest, sent } = clientOf({ staleTime: 60_000 }, score(1, 'max-age=1'))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(59_999)
    await rest.getVirtualSelectedParentBlueScore()
    expect(sent).toHaveLength(1)
  })

  it('stands as long as the call says before all others', async () => {
    const { rest, sent } = clientOf({ staleTime: 60_000 }, score(1), score(2))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(10)
    expect(await rest.getVirtualSelectedParentBlueScore({ staleTime: 5 })).toEqual({ blueScore: 2 })
    expect(sent).toHaveLength(2)
  })

  it('is none where the call forces a new one, past every cache on the way', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    await rest.getAddressBalance(alice)
    expect(await rest.getAddressBalance(alice, { forceRefresh: true })).toMatchObject({ balance: 2 })
    expect(sent.map(({ cache }) => cache)).toEqual(['default', 'no-store'])
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 2 })
  })

  it('is none where the call wants no cache, and none comes of it', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    await rest.getAddressBalance(alice, { cache: false })
    expect(rest.cacheSize).toBe(0)
    expect(await rest.getAddressBalance(alice, { cache: false })).toMatchObject({ balance: 2 })
    expect(sent).toHaveLength(2)
  })

  it('is not made of an error', async () => {
    const { rest } = clientOf({}, json({}, { status: 500 }), balance(2))
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 500 })
    expect(rest.cacheSize).toBe(0)
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 2 })
  })

  it('of "there is none" lives for three seconds, whatever anybody says', async () => {
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

  it('of an unaccepted transaction is not believed for a day', async () => {
    const waiting = json({ transaction_id: TX, is_accepted: false }, { headers: { 'cache-control': 'max-age=86400' } })
    const { rest, sent } = clientOf({}, waiting)
    await rest.getTransaction(TX)
    vi.advanceTimersByTime(2_000)
    await rest.getTransaction(TX)
    expect(sent.map(({ cache }) => cache)).toEqual(['default', 'no-store']) // an HTTP cache would believe it
  })

  it('of a settled transaction stands for the day that the server grants', async () => {
    const accepted = json({ transaction_id: TX, is_accepted: true }, { headers: { 'cache-control': 'max-age=86400' } })
    const { rest, sent } = clientOf({ cacheTime: Infinity }, accepted)
    await rest.getTransaction(TX)
    vi.advanceTimersByTime(86_399_000)
    await rest.getTransaction(TX)
    expect(sent).toHaveLength(1)
  })

  it('of an unhealthy server is never kept', async () => {
    const ill = json({ kaspadServers: [], database: {} }, { status: 503 })
    const { rest, sent } = clientOf({ staleTime: 600_000 }, ill)
    expect(await rest.getHealth()).toEqual({ chaindServers: [], database: {} })
    await rest.getHealth()
    expect(sent).toHaveLength(2)
  })

  it('of a POST that reads is kept by its body', async () => {
    const { rest, sent } = clientOf({}, json([{ address: alice, balance: 1 }]), json([{ address: bob, balance: 2 }]))
    await rest.getBalancesByAddresses([alice])
    await rest.getBalancesByAddresses([bob])
    await rest.getBalancesByAddresses([alice])
    expect(sent).toHaveLength(2)
  })
})

describe('a stale answer', () => {
  it('is given while a new one is fetched behind it, where the call allows that', async () => {
    const { rest, sent } = clientOf({}, score(1, 'max-age=1'), score(2, 'max-age=1'))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(1_500)
    expect(await rest.getVirtualSelectedParentBlueScore({ staleWhileRevalidate: 1_000 })).toEqual({ blueScore: 1 })
    await vi.waitFor(async () => expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 2 }))
    expect(sent).toHaveLength(2)
  })

  it('is given as long as the server grants it', async () => {
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

  it('is renewed behind a caller who has left with it', async () => {
    const { rest, sent } = clientOf({}, score(1, 'max-age=1'), score(2, 'max-age=1'))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(1_500)
    const caller = new AbortController()
    await rest.getVirtualSelectedParentBlueScore({ staleWhileRevalidate: 1_000, signal: caller.signal })
    caller.abort()
    await vi.waitFor(async () => expect(await rest.getVirtualSelectedParentBlueScore()).toEqual({ blueScore: 2 }))
    expect(sent.map(({ signal }) => signal.aborted)).toEqual([false, false])
  })

  it('stays, where fetching a new one fails, for those who allow it', async () => {
    const { rest } = clientOf({}, score(1, 'max-age=1'), json({}, { status: 500 }))
    await rest.getVirtualSelectedParentBlueScore()
    vi.advanceTimersByTime(1_500)
    await expect(rest.getVirtualSelectedParentBlueScore()).rejects.toMatchObject({ status: 500 })
    expect(await rest.getVirtualSelectedParentBlueScore({ staleWhileRevalidate: 5_000 })).toEqual({ blueScore: 1 })
  })
})

describe('equal questions at a time', () => {
  it('are one request', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    const answers = await Promise.all([rest.getAddressBalance(alice), rest.getAddressBalance(alice)])
    expect(answers[0]).toBe(answers[1])
    expect(sent).toHaveLength(1)
  })

  it('share a failure too', async () => {
    const { rest, sent } = clientOf({}, json({}, { status: 500 }))
    const answers = await Promise.allSettled([rest.getAddressBalance(alice), rest.getAddressBalance(alice)])
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
    expect(sent).toHaveLength(1)
  })

  it('are two where the second is forced: it never settles for what was asked before it', async () => {
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
  it('forgets everything, or what begins with a path, a URL or a key of one’s own', async () => {
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

  it('does not keep an answer that was on its way when it was cleared', async () => {
    const { rest, sent } = clientOf({}, balance(1), balance(2))
    const before = rest.getAddressBalance(alice)
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    rest.clearCache()
    const after = rest.getAddressBalance(alice)
    expect((await before).balance).toBe(1)
    expect((await after).balance).toBe(2)
    expect((await rest.getAddressBalance(alice)).balance).toBe(2)
  })

  it('tells its size to whoever watches, only when it changes', async () => {
    const { rest } = clientOf({}, balance(1))
    const sizes = firstValueFrom(rest.cacheSize$.pipe(take(3), toArray()))
    await rest.getAddressBalance(alice)
    await rest.getAddressBalance(alice, { forceRefresh: true })
    rest.clearCache()
    expect(await sizes).toEqual([0, 1, 0])
  })

  it('lets go what nobody has asked for, after `cacheTime`', async () => {
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

  it('drops what is known of addresses once a transaction is submitted', async () => {
    const { rest, sent } = clientOf({}, (request) =>
      request.method === 'POST' ? json({ transactionId: TX }) : balance(1),
    )
    await rest.getAddressBalance(alice)
    await rest.submitTransaction({ version: 0, inputs: [], outputs: [] })
    await rest.getAddressBalance(alice)
    expect(sent).toHaveLength(3)
  })

  it('drops it as well where nobody knows what became of the transaction', async () => {
    const { rest } = clientOf({}, balance(1), json({}, { status: 500 }), balance(2))
    await rest.getAddressBalance(alice)
    await expect(rest.submitTransaction({ version: 0, inputs: [], outputs: [] })).rejects.toMatchObject({ status: 500 })
    expect((await rest.getAddressBalance(alice)).balance).toBe(2)
  })

  it('hands its answers on, and takes them in where it has no newer ones', async () => {
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

  it('is gone with its client, and so is what was under way', async () => {
    const { rest, sent } = clientOf({}, silence)
    const ended = expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ code: 'aborted' })
    await vi.waitFor(() => expect(sent).toHaveLength(1))
    rest.dispose()
    await ended
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })
})
