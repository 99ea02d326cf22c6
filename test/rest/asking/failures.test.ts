import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createRestClient } from '../../../src/rest/client.js'
import type { ChainRestOptions } from '../../../src/rest/options.js'
import { world } from '../recordings.js'
import { json, scriptFetch, silence, type Reply } from '../scripted-fetch.js'

const { alice = '', bob = '' } = world.addresses
const TX = { version: 0, inputs: [], outputs: [] }
const good = () => json({ address: alice, balance: 5 })
const failing = (status: number, headers: Record<string, string> = {}) => json({ message: 'no' }, { status, headers })

/** A client of a server that says these things. */
function clientOf(options: ChainRestOptions, ...replies: Reply[]) {
  const { fetcher, sent } = scriptFetch(...replies)
  return { rest: createRestClient({ baseUrl: 'https://indexer.test', ...options, fetcher }, { random: () => 0 }), sent }
}

/** Lets the requests that are due go out. */
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(async () => {
  await import('../../../src/rest/operations.js')
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a read that fails for a passing reason', () => {
  it('is asked again twice, later each time', async () => {
    const { rest, sent } = clientOf({}, failing(500), failing(502), good())
    const answer = rest.getAddressBalance(alice)
    await settle()
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(499)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await answer).balanceExact).toBe(5n)
    expect(sent).toHaveLength(3)
  })

  it('waits as long as the server asks, in seconds or until a date', async () => {
    vi.setSystemTime(1_795_233_600_000)
    const inSeconds = { 'retry-after': '7' }
    const atDate = { 'retry-after': new Date(1_795_233_600_000 + 12_000).toUTCString() }
    const { rest, sent } = clientOf({}, failing(429, inSeconds), failing(503, atDate), good())
    const answer = rest.getAddressBalance(alice)
    await vi.advanceTimersByTimeAsync(6_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(5_000)
    await answer
    expect(sent).toHaveLength(3)
  })

  it('is given up at once where the server asks for more patience than there is', async () => {
    const { rest, sent } = clientOf({}, failing(429, { 'retry-after': '3600' }))
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429, retryAfter: 3_600_000 })
    expect(sent).toHaveLength(1)
  })

  it('is given up as well where it asks for more than is left, and keeps the server’s own words', async () => {
    const { rest, sent } = clientOf({ timeout: 3_000 }, failing(429, { 'retry-after': '2' }))
    const refused = expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429, retryAfter: 2_000 })
    await vi.advanceTimersByTimeAsync(2_000)
    await refused
    expect(sent).toHaveLength(2)
  })

  it.each(['-5', '1.5', '+3', 'soon', '', '120, 120', '1e3'])(
    'waits as it would have anyway where a Retry-After of "%s" says nothing',
    async (header) => {
      const { rest, sent } = clientOf({}, failing(429, { 'retry-after': header }), good())
      const answer = rest.getAddressBalance(alice)
      await vi.advanceTimersByTimeAsync(499)
      expect(sent).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect((await answer).balanceExact).toBe(5n)
    },
  )

  it('is given up after the last retry, with what the server said last', async () => {
    const { rest, sent } = clientOf({ retries: 1 }, failing(500), failing(504))
    const answer = rest.getAddressBalance(alice)
    const refused = expect(answer).rejects.toMatchObject({ code: 'http', status: 504 })
    await vi.advanceTimersByTimeAsync(500)
    await refused
    expect(sent).toHaveLength(2)
  })

  it.each([
    ['a refusal of the arguments', json({ detail: 'Invalid address' }, { status: 400 })],
    ['an endpoint switched off', json({ detail: 'Top addresses is disabled' }, { status: 503 })],
    ['HTML in place of JSON', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ])('is not asked again after %s', async (_, reply) => {
    const { rest, sent } = clientOf({}, reply)
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ name: 'ChainRestError' })
    expect(sent).toHaveLength(1)
  })

  it('is asked again where nobody answered', async () => {
    const { rest, sent } = clientOf({}, () => Promise.reject(new TypeError('fetch failed')), good())
    const answer = rest.getAddressBalance(alice)
    await vi.advanceTimersByTimeAsync(500)
    expect((await answer).balance).toBe(5)
    expect(sent).toHaveLength(2)
  })
})

describe('a submission', () => {
  it.each([
    ['busy', failing(429, { 'retry-after': '1' })],
    ['failing', failing(500)],
    ['gone', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is sent once, though the server is %s', async (_, reply) => {
    const { rest, sent } = clientOf({ retries: 5 }, reply)
    await expect(rest.submitTransaction(TX)).rejects.toMatchObject({ name: 'ChainRestError' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toHaveLength(1)
  })

  it('that is sent twice at a time goes out twice: nothing is shared', async () => {
    const { rest, sent } = clientOf({}, json({ transactionId: 'a' }), json({ transactionId: 'b' }))
    const answers = await Promise.all([rest.submitTransaction(TX), rest.submitTransaction(TX)])
    expect(answers.map(({ transactionId }) => transactionId)).toEqual(['a', 'b'])
    expect(sent).toHaveLength(2)
  })

  it('resolves with the node’s refusal', async () => {
    const { rest } = clientOf(
      {},
      json({ error: 'Rejected transaction 5f: transaction has no inputs' }, { status: 400 }),
    )
    expect(await rest.submitTransaction(TX)).toEqual({ error: 'Rejected transaction 5f: transaction has no inputs' })
  })

  it('never resolves without words: a silent node leaves the outcome open, and that is said', async () => {
    const { rest } = clientOf({}, json({ error: '' }, { status: 400 }))
    expect((await rest.submitTransaction(TX)).error).toMatch(/may have been accepted/)
  })
})

describe('a caller', () => {
  it('is told after the deadline, and the request ends with it', async () => {
    const { rest, sent } = clientOf({}, silence)
    const answer = rest.getAddressBalance(alice)
    const late = expect(answer).rejects.toMatchObject({ code: 'timeout', url: sent[0]?.url ?? expect.any(String) })
    await vi.advanceTimersByTimeAsync(30_000)
    await late
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('is told as well where an answer has begun and never ends', async () => {
    const begun = new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"address":')) })
    const fetcher = () => Promise.resolve(new Response(begun))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    const late = expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(30_000)
    await late
  })

  it('chooses the deadline; retries are part of it', async () => {
    const { rest, sent } = clientOf({ retries: 100 }, failing(500))
    const answer = rest.getAddressBalance(alice, { timeout: 1_600 })
    const late = expect(answer).rejects.toThrow(/got no answer in time: 1600 ms have passed$/)
    await vi.advanceTimersByTimeAsync(1_600)
    await late
    expect(sent).toHaveLength(3)
  })

  it('may leave; the request ends when nobody else waits for it', async () => {
    const { rest, sent } = clientOf({}, silence)
    const [one, two] = [new AbortController(), new AbortController()]
    const first = rest.getAddressBalance(alice, { signal: one.signal })
    const second = rest.getAddressBalance(alice, { signal: two.signal })
    await settle()
    one.abort(new Error('changed my mind'))
    await expect(first).rejects.toMatchObject({ code: 'aborted', cause: new Error('changed my mind') })
    expect(sent[0]?.signal.aborted).toBe(false)
    two.abort()
    await expect(second).rejects.toMatchObject({ code: 'aborted' })
    expect(sent[0]?.signal.aborted).toBe(true)
  })

  it('who has left before sends nothing', async () => {
    const { rest, sent } = clientOf({}, good)
    await expect(rest.getAddressBalance(alice, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect(sent).toEqual([])
  })

  it('does not wait for a place that a request holds on to beyond its end', async () => {
    const deaf: (() => Promise<Response>)[] = [silence, () => Promise.resolve(json({ price: 1 }))]
    const fetcher = () => (deaf.shift() ?? silence)()
    const rest = createRestClient({ baseUrl: 'https://indexer.test', concurrency: 1, fetcher })
    const late = expect(rest.getAddressBalance(alice, { timeout: 100 })).rejects.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(100)
    await late
    const next = rest.getPrice({ timeout: 100 })
    await vi.advanceTimersByTimeAsync(100)
    expect(await next).toEqual({ price: 1 })
  })

  it('waits in line where too many requests are under way, and leaves the line unheard', async () => {
    const doors: ((response: Response) => void)[] = []
    const { rest, sent } = clientOf({ concurrency: 1 }, () => new Promise((open) => doors.push(open)))
    const leaver = new AbortController()
    const first = rest.getAddressBalance(alice)
    const second = rest.getAddressBalance(bob, { signal: leaver.signal })
    const third = rest.getPrice()
    await settle()
    expect(sent).toHaveLength(1)
    leaver.abort()
    await expect(second).rejects.toMatchObject({ code: 'aborted' })
    doors[0]?.(good())
    await first
    await settle()
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([expect.stringContaining('balance'), '/info/price'])
    doors[1]?.(json({ price: 1 }))
    await third
  })
})
