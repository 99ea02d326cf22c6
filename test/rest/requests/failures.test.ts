import { transactionId } from '../../../src/model/transaction-id.js'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { UNKNOWN_OUTCOME_HINT } from '../../../src/model/submission-reply.js'
import { parseJson } from '../../../src/rest/decoding/json.js'
import { createRestClient } from '../../../src/rest/client.js'
import type { ChainRestOptions } from '../../../src/rest/options.js'
import type { ChainRestTransactionLike } from '../../../src/rest/records/submission.js'
import { recording, toResponse, world } from '../recordings.js'
import { RELAYABLE } from '../../relayable-transaction.js'
import { json, scriptFetch, noResponse, type Reply } from '../scripted-fetch.js'

const { alice = '', bob = '' } = world.addresses
const TX = RELAYABLE
const ID = transactionId(TX)
const good = () => json({ address: alice, balance: 5 })
const failing = (status: number, headers: Record<string, string> = {}) => json({ message: 'no' }, { status, headers })

/** A client of a server with scripted replies. */
function clientOf(options: ChainRestOptions, ...replies: Reply[]) {
  const { fetcher, sent } = scriptFetch(...replies)
  return { rest: createRestClient({ baseUrl: 'https://indexer.test', ...options, fetcher }, { random: () => 0 }), sent }
}

/** Runs the due timers, so that pending requests are sent. */
const settle = () => vi.advanceTimersByTimeAsync(0)

beforeEach(async () => {
  await import('../../../src/rest/operations.js')
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
})
afterEach(() => {
  vi.useRealTimers()
})

describe('a read that fails transiently', () => {
  it('is retried twice with growing delays', async () => {
    const { rest, sent } = clientOf({}, failing(500), failing(502), good())
    const response = rest.getAddressBalance(alice)
    await settle()
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(499)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(1_000)
    expect((await response).balanceExact).toBe(5n)
    expect(sent).toHaveLength(3)
  })

  it('waits for Retry-After, in seconds or until a date', async () => {
    vi.setSystemTime(1_795_233_600_000)
    const inSeconds = { 'retry-after': '7' }
    const atDate = { 'retry-after': new Date(1_795_233_600_000 + 12_000).toUTCString() }
    const { rest, sent } = clientOf({}, failing(429, inSeconds), failing(503, atDate), good())
    const response = rest.getAddressBalance(alice)
    await vi.advanceTimersByTimeAsync(6_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    expect(sent).toHaveLength(2)
    await vi.advanceTimersByTimeAsync(5_000)
    await response
    expect(sent).toHaveLength(3)
  })

  it('has no pause left after the clock was set back', async () => {
    const { rest, sent } = clientOf({ retries: 0 }, failing(429, { 'retry-after': '60' }), good())
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429 })
    vi.setSystemTime(Date.now() - 3_600_000)
    expect(await rest.getAddressBalance(alice)).toMatchObject({ balance: 5 })
    expect(sent).toHaveLength(2)
  })

  it('is not retried if Retry-After exceeds the timeout', async () => {
    const { rest, sent } = clientOf({}, failing(429, { 'retry-after': '3600' }))
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429, retryAfter: 3_600_000 })
    expect(sent).toHaveLength(1)
  })

  it('is not retried if Retry-After exceeds the remaining time, and rejects with the server’s error', async () => {
    const { rest, sent } = clientOf({ timeout: 3_000 }, failing(429, { 'retry-after': '2' }))
    const refused = expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429, retryAfter: 2_000 })
    await vi.advanceTimersByTimeAsync(2_000)
    await refused
    expect(sent).toHaveLength(2)
  })

  it.each(['-5', '1.5', '+3', 'soon', '', '120, 120', '1e3'])(
    'ignores an invalid Retry-After of "%s"',
    async (header) => {
      const { rest, sent } = clientOf({}, failing(429, { 'retry-after': header }), good())
      const response = rest.getAddressBalance(alice)
      await vi.advanceTimersByTimeAsync(499)
      expect(sent).toHaveLength(1)
      await vi.advanceTimersByTimeAsync(1)
      expect((await response).balanceExact).toBe(5n)
    },
  )

  it('rejects with the last error after the last retry', async () => {
    const { rest, sent } = clientOf({ retries: 1 }, failing(500), failing(504))
    const response = rest.getAddressBalance(alice)
    const refused = expect(response).rejects.toMatchObject({ code: 'http', status: 504 })
    await vi.advanceTimersByTimeAsync(500)
    await refused
    expect(sent).toHaveLength(2)
  })

  it.each([
    ['invalid arguments', json({ detail: 'Invalid address' }, { status: 400 })],
    ['a disabled endpoint', json({ detail: 'Top addresses is disabled' }, { status: 503 })],
    ['HTML in place of JSON', new Response('<html>', { headers: { 'content-type': 'text/html' } })],
  ])('is not retried after %s', async (_, reply) => {
    const { rest, sent } = clientOf({}, reply)
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ name: 'ChainRestError' })
    expect(sent).toHaveLength(1)
  })

  it('is retried without a response', async () => {
    const { rest, sent } = clientOf({}, () => Promise.reject(new TypeError('fetch failed')), good())
    const response = rest.getAddressBalance(alice)
    await vi.advanceTimersByTimeAsync(500)
    expect((await response).balance).toBe(5)
    expect(sent).toHaveLength(2)
  })
})

describe('a response that was cut short without an announced length', () => {
  const whole = `{"address":"${alice}","balance":5}`
  it.each([
    ['inside a record', whole.slice(0, -1)],
    ['inside a text', whole.slice(0, 20)],
    ['behind an escaped quote', '{"address":"\\"'],
  ])('is retried: %s', async (_, text) => {
    const { rest, sent } = clientOf({}, json(text), good())
    const response = rest.getAddressBalance(alice)
    await vi.advanceTimersByTimeAsync(500)
    expect((await response).balance).toBe(5)
    expect(sent).toHaveLength(2)
  })

  it.each(['{"address":}', '{"a":1}}', 'Internal Server Error', '"text'])(
    'is not taken for one that is no JSON at all: %s',
    async (text) => {
      const { rest, sent } = clientOf({}, json(text))
      await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ code: 'malformed' })
      expect(sent).toHaveLength(1)
    },
  )
})

describe('the pause that a server requests', () => {
  const busy = (seconds: number) => failing(429, { 'retry-after': String(seconds) })

  it('holds for later calls of its clients', async () => {
    const { rest, sent } = clientOf({ retries: 0 }, busy(5), good())
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429, retryAfter: 5_000 })
    const later = [rest.getAddressBalance(alice), rest.getVirtualSelectedParentBlueScore().catch(() => undefined)]
    await vi.advanceTimersByTimeAsync(4_999)
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1)
    await Promise.all(later)
    expect(sent).toHaveLength(3)
  })

  it('rejects a call at once whose timeout ends before it, without a request', async () => {
    const { rest, sent } = clientOf({ retries: 0 }, busy(60))
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429 })
    await vi.advanceTimersByTimeAsync(10_000)
    const error: unknown = await rest.getAddressBalance(bob).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'http', status: 429, retryAfter: 50_000 })
    expect(String(error)).toContain('the server requires a pause, and the request was not sent')
    expect(sent).toHaveLength(1)
  })

  it('ends after five minutes at the latest', async () => {
    const { rest, sent } = clientOf({ retries: 0, timeout: 400_000 }, busy(86_400), good())
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429 })
    const later = rest.getAddressBalance(alice)
    await vi.advanceTimersByTimeAsync(300_000)
    expect((await later).balance).toBe(5)
    expect(sent).toHaveLength(2)
  })

  it('leaves no timer behind a call that is aborted', async () => {
    const { rest } = clientOf({ retries: 0 }, busy(5))
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429 })
    const controller = new AbortController()
    const aborted = expect(rest.getAddressBalance(bob, { signal: controller.signal })).rejects.toMatchObject({
      code: 'aborted',
    })
    await settle()
    controller.abort()
    await aborted
    await settle()
    expect(vi.getTimerCount()).toBeLessThanOrEqual(1) // the expiry of the cache
  })

  it('does not follow from an endpoint that is switched off', async () => {
    const off = json({ detail: 'Top addresses is disabled' }, { status: 503, headers: { 'retry-after': '60' } })
    const { rest, sent } = clientOf({ retries: 0 }, off, good())
    await expect(rest.getTopAddresses()).rejects.toMatchObject({ status: 503 })
    await rest.getAddressBalance(alice)
    expect(sent).toHaveLength(2)
  })
})

describe('a submission', () => {
  it.each([
    ['busy', failing(429, { 'retry-after': '1' })],
    ['failing', failing(500)],
    ['unreachable', () => Promise.reject(new TypeError('fetch failed'))],
  ])('is sent once although the server is %s', async (_, reply) => {
    const { rest, sent } = clientOf({ retries: 5 }, reply)
    await expect(rest.submitTransaction(TX)).rejects.toMatchObject({ name: 'ChainRestError' })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(sent).toHaveLength(1)
  })

  it('is never shared with a concurrent equal one', async () => {
    const rejections = ['Rejected transaction a', 'Rejected transaction b']
    const { rest, sent } = clientOf({}, ...rejections.map((error) => json({ error }, { status: 400 })))
    const results = await Promise.all([rest.submitTransaction(TX), rest.submitTransaction(TX)])
    expect(results.map(({ error }) => error)).toEqual(rejections)
    expect(sent).toHaveLength(2)
  })

  it.each([
    'Rejected transaction 5f: transaction has no inputs',
    'Rejected transaction 5f: transaction 5f is an orphan where orphan is disallowed',
    'RPC Server (remote error) -> RpcTransactionInput.sig_op_count is inconsistent with transaction version 2',
    'Invalid input length 40',
    'Hex parsing error: Invalid character',
    'Integer downsize conversion error out of range integral type conversion attempted',
  ])('resolves with the node’s refusal, the id and an unknown outcome: %s', async (error) => {
    const { rest } = clientOf({}, json({ error }, { status: 400 }))
    expect(await rest.submitTransaction(TX)).toEqual({ error, outcome: 'unknown', transactionId: ID })
  })

  it('is sent at once, however many reads are in flight', async () => {
    const { rest, sent } = clientOf({ concurrency: 1 }, ({ method }) =>
      method === 'POST' ? json({ transactionId: ID }) : noResponse(),
    )
    const reads = [rest.getAddressBalance(alice), rest.getAddressBalance(bob)].map((read) =>
      read.catch(() => undefined),
    )
    expect(await rest.submitTransaction(TX)).toEqual({ transactionId: ID, known: 'new' })
    expect(sent.map(({ method }) => method)).toEqual(['GET', 'POST'])
    rest.dispose()
    await Promise.all(reads)
  })

  it('that was not sent has an unknown outcome, because an earlier process may have sent it', async () => {
    const { rest, sent } = clientOf({ retries: 0 }, failing(429, { 'retry-after': '100' }), () =>
      Promise.reject(new TypeError('fetch failed')),
    )
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ status: 429 })
    const early = rest.submitTransaction(TX, { signal: AbortSignal.abort() })
    await expect(early).rejects.toMatchObject({ code: 'aborted', outcome: 'unknown', transactionId: ID })
    await expect(rest.submitTransaction(TX)).rejects.toMatchObject({
      status: 429,
      outcome: 'unknown',
      transactionId: ID,
    })
    expect(sent).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(100_000)
    await expect(rest.submitTransaction(TX)).rejects.toMatchObject({
      code: 'network',
      outcome: 'unknown',
      transactionId: ID,
    })
    const again = rest.submitTransaction(TX, { signal: AbortSignal.abort() })
    await expect(again).rejects.toMatchObject({ code: 'aborted', outcome: 'unknown', transactionId: ID })
  })

  /** A recorded submission to a real server: the sent transaction, its id and the reply. */
  function submission(family: string, name: string) {
    const exchange = recording(family, name)
    const { transaction } = parseJson(exchange.requestBody ?? '') as { transaction: ChainRestTransactionLike }
    const { error = '' } = JSON.parse(exchange.body) as { error?: string }
    return { transaction, id: /transaction (\w{64})/.exec(error)?.[1] ?? ID, error, reply: toResponse(exchange) }
  }

  it('resolves with the id where the server repeats it, and its node has the first one', async () => {
    const { transaction, id, reply } = submission('submit', 'same-again')
    const { rest } = clientOf({}, reply, toResponse(recording('wrpc-backend', 'submit-again')))
    expect(await rest.submitTransaction(transaction)).toEqual({ transactionId: id, known: 'mempool' })
    expect(await rest.submitTransaction(TX)).toEqual({ transactionId: ID, known: 'mempool' })
  })

  it.each([
    ['has seen it accepted', toResponse(recording('lifecycle', 'mined-accepted-acceptance')), { known: 'accepted' }],
    [
      'has not: a reorg may have left the block',
      toResponse(recording('lifecycle', 'mined-not-accepted-acceptance')),
      undefined,
    ],
    ['does not respond', failing(500), undefined],
  ])('was in a block: resolves only where the indexer %s', async (_, acceptance, expected) => {
    const { transaction, id, error, reply } = submission('lifecycle', 'submit-again-after-acceptance')
    const { rest } = clientOf({ retries: 0 }, reply, acceptance)
    const submitted = await rest.submitTransaction(transaction)
    expect(submitted).toEqual({ transactionId: id, ...(expected ?? { error, outcome: 'unknown' }) })
  })

  it('sends a replacement as a plain transaction where the node lacks its target', async () => {
    const error = 'Rejected transaction 5f: replace by fee found no double spending transaction in the mempool'
    const { rest, sent } = clientOf({}, json({ error }, { status: 400 }), json({ transactionId: ID }))
    expect(await rest.submitTransaction(TX, { replaceByFee: true })).toEqual({ transactionId: ID, known: 'new' })
    expect(sent.map(({ url }) => new URL(url).search)).toEqual(['?replaceByFee=true', '?replaceByFee=false'])
  })

  it('is unsent where it is malformed, or every node would refuse it', async () => {
    const { rest, sent } = clientOf({})
    const unsigned = TX.inputs.map((input) => ({ ...input, signatureScript: '' }))
    await expect(rest.submitTransaction({ ...TX, inputs: unsigned })).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'transaction',
      outcome: 'unsent',
      transactionId: ID,
      hint: 'Every node refuses it, so it was not sent.',
    })
    const malformed = rest.submitTransaction({ ...TX, version: -1 })
    await expect(malformed).rejects.toMatchObject({ code: 'invalid-argument', outcome: 'unsent' })
    const misspelt = rest.submitTransaction(TX, { timeout: -1 })
    await expect(misspelt).rejects.toMatchObject({
      code: 'invalid-argument',
      outcome: 'unknown',
      transactionId: ID,
      hint: expect.stringContaining(UNKNOWN_OUTCOME_HINT),
    })
    expect(sent).toEqual([])
  })

  it('has an unknown outcome where every node would refuse it, and it was sent before', async () => {
    const { rest } = clientOf({ retries: 0 }, failing(500))
    await expect(rest.submitTransaction(TX)).rejects.toMatchObject({ outcome: 'unknown' })
    const unsigned = TX.inputs.map((input) => ({ ...input, signatureScript: '' }))
    await expect(rest.submitTransaction({ ...TX, inputs: unsigned })).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'transaction',
      outcome: 'unknown',
      transactionId: ID,
      hint: `Every node refuses it, so it was not sent again. ${UNKNOWN_OUTCOME_HINT}`,
    })
  })

  const DISCONNECTED = 'RPC Server (remote error) -> WebSocket -> WebSocket is not connected'
  it.each([
    [
      'is disconnected from its node',
      200,
      DISCONNECTED,
      'network',
      `the server is disconnected from its node: ${DISCONNECTED}`,
    ],
    [
      'is disconnected from its node',
      400,
      DISCONNECTED,
      'network',
      `the server is disconnected from its node: ${DISCONNECTED}`,
    ],
    ['got no response from its node', 400, '', 'timeout', 'the node did not respond to the server'],
  ])('rejects with an unknown outcome if the server %s (%i)', async (_, status, error, code, reason) => {
    const { rest, sent } = clientOf({}, json({ error }, { status }))
    await expect(rest.submitTransaction(TX)).rejects.toMatchObject({
      code,
      status,
      message: expect.stringMatching(new RegExp(`${reason.replace(/[()]/g, '\\$&')}$`)),
      outcome: 'unknown',
      transactionId: ID,
      hint: 'The network may have the transaction: follow transactionId, or submit the same signed transaction again. Never plan a new payment in its place.',
    })
    expect(sent).toHaveLength(1)
  })
})

describe('a caller', () => {
  it('receives `timeout` after the deadline, and the request is aborted', async () => {
    const { rest, sent } = clientOf({}, noResponse)
    const response = rest.getAddressBalance(alice)
    const late = expect(response).rejects.toMatchObject({ code: 'timeout', url: sent[0]?.url ?? expect.any(String) })
    await vi.advanceTimersByTimeAsync(30_000)
    await late
    expect(sent[0]?.signal.aborted).toBe(true)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('receives `timeout` for a body that never ends', async () => {
    const begun = new ReadableStream({ start: (body) => body.enqueue(new TextEncoder().encode('{"address":')) })
    const fetcher = () => Promise.resolve(new Response(begun))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    const late = expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(30_000)
    await late
  })

  it('sets the timeout, which includes retries', async () => {
    const { rest, sent } = clientOf({ retries: 100 }, failing(500))
    const response = rest.getAddressBalance(alice, { timeout: 1_600 })
    const late = expect(response).rejects.toThrow(/timed out: 1600 ms have passed$/)
    await vi.advanceTimersByTimeAsync(1_600)
    await late
    expect(sent).toHaveLength(3)
  })

  it('aborts its call; the request is aborted with the last call that shares it', async () => {
    const { rest, sent } = clientOf({}, noResponse)
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

  it('shares a request until the longest deadline, and rejects at its own', async () => {
    const { rest, sent } = clientOf({}, failing(429, { 'retry-after': '2' }), good())
    const short = rest.getAddressBalance(alice, { timeout: 500 })
    const long = rest.getAddressBalance(alice, { timeout: 20_000 })
    const late = expect(short).rejects.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(500)
    await late
    await vi.advanceTimersByTimeAsync(1_500)
    expect((await long).balance).toBe(5)
    expect(sent).toHaveLength(2)
  })

  it('shares no deadline of an earlier request', async () => {
    const { rest } = clientOf({}, good(), failing(429, { 'retry-after': '2' }))
    await rest.getAddressBalance(alice, { timeout: 20_000 })
    await expect(rest.getAddressBalance(alice, { timeout: 500, forceRefresh: true })).rejects.toMatchObject({
      status: 429,
    })
  })

  it('with an aborted signal sends nothing', async () => {
    const { rest, sent } = clientOf({}, good)
    await expect(rest.getAddressBalance(alice, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      code: 'aborted',
    })
    expect(sent).toEqual([])
  })

  it('is not blocked by a request that ignores its abort', async () => {
    const replies: (() => Promise<Response>)[] = [noResponse, () => Promise.resolve(json({ price: 1 }))]
    const fetcher = () => (replies.shift() ?? noResponse)()
    const rest = createRestClient({ baseUrl: 'https://indexer.test', concurrency: 1, fetcher })
    const late = expect(rest.getAddressBalance(alice, { timeout: 100 })).rejects.toMatchObject({ code: 'timeout' })
    await vi.advanceTimersByTimeAsync(100)
    await late
    const next = rest.getPrice({ timeout: 100 })
    await vi.advanceTimersByTimeAsync(100)
    expect(await next).toEqual({ price: 1 })
  })

  it('queues beyond `concurrency`, and leaves the queue when aborted', async () => {
    const responders: ((response: Response) => void)[] = []
    const { rest, sent } = clientOf({ concurrency: 1 }, () => new Promise((respond) => responders.push(respond)))
    const controller = new AbortController()
    const first = rest.getAddressBalance(alice)
    const second = rest.getAddressBalance(bob, { signal: controller.signal })
    const third = rest.getPrice()
    await settle()
    expect(sent).toHaveLength(1)
    controller.abort()
    await expect(second).rejects.toMatchObject({ code: 'aborted' })
    responders[0]?.(good())
    await first
    await settle()
    expect(sent.map(({ url }) => new URL(url).pathname)).toEqual([expect.stringContaining('balance'), '/info/price'])
    responders[1]?.(json({ price: 1 }))
    await third
  })
})
