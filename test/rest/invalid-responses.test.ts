import { HttpResponse, delay, http } from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { createRestClient, type ChainRestClient } from '../../src/rest/client.js'
import { world } from './recordings.js'

const BASE = 'https://indexer.test'
const { alice = '' } = world.addresses
const TX = world.transactions.plain ?? ''
const BALANCE = `${BASE}/addresses/:address/balance`
const URL_OF_BALANCE = `${BASE}/addresses/${encodeURIComponent(alice)}/balance`

const server = setupServer()
beforeAll(() => server.listen({ onUnhandledRequest: 'error' }))
afterEach(() => server.resetHandlers())
afterAll(() => server.close())

const client = (options = {}): ChainRestClient => createRestClient({ baseUrl: BASE, retryDelay: 1, ...options })
const failureOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    (value) => ({ resolved: value }),
    (error: unknown) => error,
  )

interface Failure {
  readonly what: string
  readonly reply: () => Response | Promise<Response>
  readonly expected: object
  readonly message: string
}

const text = (body: string, type: string, status = 200) =>
  new HttpResponse(body, { status, headers: { 'content-type': type } })
const detail422 = [{ loc: ['path', 'kaspaAddress'], msg: 'string does not match regex', type: 'value_error.str.regex' }]

const FAILURES: readonly Failure[] = [
  {
    what: 'a 422 with its details',
    reply: () => HttpResponse.json({ detail: detail422 }, { status: 422 }),
    expected: { code: 'http', status: 422, body: { detail: detail422 } },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 422: path,kaspaAddress: string does not match regex`,
  },
  {
    what: 'a 422 whose detail is a text',
    reply: () => HttpResponse.json({ detail: 'Too many transaction ids. Max 1000' }, { status: 422 }),
    expected: { code: 'http', status: 422 },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 422: Too many transaction ids. Max 1000`,
  },
  {
    what: 'a 404 for the route',
    reply: () => HttpResponse.json({ detail: 'Not Found' }, { status: 404 }),
    expected: { code: 'http', status: 404, hint: 'The server has no such route: check baseUrl.' },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 404: Not Found`,
  },
  {
    what: 'a 405',
    reply: () => HttpResponse.json({ detail: 'Method Not Allowed' }, { status: 405 }),
    expected: { code: 'http', hint: 'The server does not allow this method on this path: check path and baseUrl.' },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 405: Method Not Allowed`,
  },
  {
    what: 'a 413 without a body',
    reply: () => new HttpResponse(null, { status: 413 }),
    expected: {
      code: 'http',
      status: 413,
      hint: 'The request is too long for the server: pass fewer entries per call.',
    },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 413`,
  },
  {
    what: 'a 429 without a Retry-After',
    reply: () => new HttpResponse('slow down', { status: 429 }),
    expected: { code: 'http', status: 429, retryAfter: undefined, body: 'slow down' },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 429`,
  },
  {
    what: 'a 429 with a Retry-After beyond the deadline',
    reply: () => new HttpResponse(null, { status: 429, headers: { 'retry-after': '120' } }),
    expected: { code: 'http', status: 429, retryAfter: 120_000 },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 429`,
  },
  {
    what: 'a 500',
    reply: () => HttpResponse.json({ message: 'Internal server error' }, { status: 500 }),
    expected: { code: 'http', status: 500, body: { message: 'Internal server error' } },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 500: Internal server error`,
  },
  {
    what: 'a 503 of a lagging database',
    reply: () => HttpResponse.json({ database: { isSynced: false } }, { status: 503 }),
    expected: { code: 'http', status: 503, hint: 'The indexer or its node failed: try again later.' },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 503`,
  },
  {
    what: 'HTML in place of JSON',
    reply: () => text('<html><h1>Hello</h1></html>', 'text/html'),
    expected: { code: 'malformed', status: 200, body: '<html><h1>Hello</h1></html>' },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: the response is not JSON`,
  },
  {
    what: 'HTML beside an error status',
    reply: () => text('<html>Bad gateway</html>', 'text/html', 502),
    expected: { code: 'http', status: 502, body: '<html>Bad gateway</html>' },
    message: `REST request GET ${URL_OF_BALANCE} failed with status 502`,
  },
  {
    what: 'truncated JSON',
    reply: () => text('{"address":"kaspasim:qq","balance":500000', 'application/json'),
    expected: { code: 'malformed', cause: expect.objectContaining({ cause: expect.any(SyntaxError) }) },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: the response was cut short`,
  },
  {
    what: 'an empty body',
    reply: () => text('', 'application/json'),
    expected: { code: 'malformed', body: '' },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: the response is not JSON`,
  },
  {
    what: 'a 204',
    reply: () => new HttpResponse(null, { status: 204 }),
    expected: { code: 'malformed' },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: the response is not JSON`,
  },
  {
    what: 'a field of another type',
    reply: () => HttpResponse.json({ address: alice, balance: '5' }),
    expected: { code: 'malformed', body: { address: alice, balance: '5' } },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: "balance" is not an integer`,
  },
  {
    what: 'a fraction in place of an integer',
    reply: () => HttpResponse.json({ address: alice, balance: 1.5 }),
    expected: { code: 'malformed' },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: "balance" is not an integer`,
  },
  {
    what: 'a list in place of a record',
    reply: () => HttpResponse.json([]),
    expected: { code: 'malformed' },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: the response is not a record`,
  },
  {
    what: 'an integer beyond 64 bits',
    reply: () => text(`{"address":"${alice}","balance":18446744073709551616}`, 'application/json'),
    expected: { code: 'malformed' },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: "balance" is not an amount from 0 to the maximum supply`,
  },
  {
    what: 'a negative amount',
    reply: () => HttpResponse.json({ address: alice, balance: -1 }),
    expected: { code: 'malformed' },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: "balance" is not an amount from 0 to the maximum supply`,
  },
  {
    what: 'a body nested deeper than the parser allows',
    reply: () => text(`${'['.repeat(200_000)}12345678901234567890${']'.repeat(200_000)}`, 'application/json'),
    expected: { code: 'malformed', status: 200 },
    message: `REST request GET ${URL_OF_BALANCE} got a malformed response: the response is not JSON`,
  },
  {
    what: 'no response at all',
    reply: () => HttpResponse.error(),
    expected: { code: 'network', status: undefined, cause: expect.any(TypeError) },
    message: `REST request GET ${URL_OF_BALANCE} got no response: Failed to fetch`,
  },
]

describe('an invalid response is a typed error', () => {
  it.each(FAILURES)('$what', async ({ reply, expected, message }) => {
    server.use(http.get(BALANCE, reply))
    const error = await failureOf(client().getAddressBalance(alice))
    expect(error).toBeInstanceOf(ChainError)
    expect(error).toMatchObject({ name: 'ChainRestError', method: 'GET', url: URL_OF_BALANCE, message, ...expected })
    expect((error as ChainError).hint).toMatch(/\.$/)
  })

  it('a server that never responds', async () => {
    server.use(http.get(BALANCE, () => delay('infinite').then(() => HttpResponse.json({}))))
    const error = await failureOf(client().getAddressBalance(alice, { timeout: 30 }))
    expect(error).toMatchObject({
      code: 'timeout',
      message: `REST request GET ${URL_OF_BALANCE} timed out: 30 ms have passed`,
    })
  })

  it('a redirect to an HTML page', async () => {
    server.use(
      http.get(BALANCE, () => HttpResponse.redirect(`${BASE}/welcome`, 302)),
      http.get(`${BASE}/welcome`, () => text('<html>Welcome</html>', 'text/html')),
    )
    expect(await failureOf(client().getAddressBalance(alice))).toMatchObject({ code: 'malformed', status: 200 })
  })

  it('a word in place of a number as text', async () => {
    server.use(http.get(`${BASE}/info/coinsupply/circulating`, () => text('soon', 'text/plain')))
    const error = await failureOf(client().getCirculatingCoins())
    expect(error).toMatchObject({
      code: 'malformed',
      message: expect.stringMatching(/the response is not a number$/),
    })
  })

  it('a measured value beyond what a double holds', async () => {
    server.use(http.get(`${BASE}/info/hashrate`, () => text('{"hashrate":1e400}', 'application/json')))
    const error = await failureOf(client().getHashrate())
    expect(error).toMatchObject({
      code: 'malformed',
      message: expect.stringMatching(/"hashrate" is not a number$/),
    })
  })

  it('a path with a doubled slash', async () => {
    server.use(http.get(`${BASE}/info//price`, () => HttpResponse.json({ detail: 'Not Found' }, { status: 404 })))
    expect(await failureOf(client().request('GET', '/info//price'))).toMatchObject({ code: 'http', status: 404 })
  })

  it('a call that its caller aborts in flight', async () => {
    const caller = new AbortController()
    server.use(
      http.get(BALANCE, async () => {
        caller.abort()
        await delay('infinite')
        return HttpResponse.json({})
      }),
    )
    const error = await failureOf(client().getAddressBalance(alice, { signal: caller.signal }))
    expect(error).toMatchObject({
      code: 'aborted',
      message: `REST request GET ${URL_OF_BALANCE} was aborted: its signal was aborted`,
    })
  })
})

describe('a valid response', () => {
  it('reports a lagging database with status 503 and is not cached', async () => {
    const report = (isSynced: boolean) => ({ kaspadServers: [], database: { isSynced, blueScoreDiff: 9207 } })
    let requests = 0
    server.use(
      http.get(`${BASE}/info/health`, () =>
        ++requests === 1 ? HttpResponse.json(report(false), { status: 503 }) : HttpResponse.json(report(true)),
      ),
    )
    const rest = client()
    expect((await rest.getHealth()).database).toEqual({
      isSynced: false,
      blueScoreDiff: 9207,
      blueScore: undefined,
      acceptedTxBlockTime: undefined,
      acceptedTxBlockTimeDiff: undefined,
    })
    expect((await rest.getHealth()).database.isSynced).toBe(true)
  })

  it('follows a redirect', async () => {
    server.use(
      http.get(`${BASE}/info/price`, () => HttpResponse.redirect(`${BASE}/elsewhere`, 307)),
      http.get(`${BASE}/elsewhere`, () => HttpResponse.json({ price: 0.05 })),
    )
    expect(await client().getPrice()).toEqual({ price: 0.05 })
  })

  it('does not follow a redirect with custom headers', async () => {
    server.use(http.get(`${BASE}/info/price`, () => HttpResponse.redirect(`https://elsewhere.test/`, 307)))
    const error = await failureOf(client({ headers: { 'api-key': 'canary' } }).getPrice())
    expect(error).toMatchObject({ code: 'network' })
    expect(String(error)).not.toContain('canary')
  })

  it('is returned by a retry after Retry-After', async () => {
    let requests = 0
    server.use(
      http.get(`${BASE}/info/price`, () =>
        ++requests === 1
          ? new HttpResponse(null, { status: 429, headers: { 'retry-after': '0' } })
          : HttpResponse.json({ price: 1 }),
      ),
    )
    expect(await client().getPrice()).toEqual({ price: 1 })
    expect(requests).toBe(2)
  })

  it.each(['https://indexer.test', 'https://indexer.test/', 'https://indexer.test//'])(
    'accepts the base URL %s',
    async (baseUrl) => {
      server.use(http.get(`${BASE}/info/price`, () => HttpResponse.json({ price: 1 })))
      const rest = client({ baseUrl })
      expect(rest.baseUrl).toBe(BASE)
      expect(await rest.getPrice()).toEqual({ price: 1 })
    },
  )

  it('accepts a base URL with a path', async () => {
    server.use(http.get(`${BASE}/v1/info/price`, () => HttpResponse.json({ price: 1 })))
    expect(await client({ baseUrl: `${BASE}/v1/` }).getPrice()).toEqual({ price: 1 })
  })

  it('is null for an unknown transaction', async () => {
    server.use(
      http.get(`${BASE}/transactions/:id`, () =>
        HttpResponse.json({ detail: 'Transaction not found' }, { status: 404 }),
      ),
    )
    expect(await client().getTransaction(TX)).toBeNull()
  })

  it('returns the body of `request`, long integers as bigint', async () => {
    server.use(http.get(`${BASE}/new/endpoint`, () => text('{"total":18446744073709551615}', 'application/json')))
    expect(await client().request('GET', '/new/endpoint')).toEqual({ total: 18446744073709551615n })
  })

  it('is requested with the client’s headers', async () => {
    server.use(
      http.get(`${BASE}/info/price`, ({ request }) =>
        HttpResponse.json({ price: Number(request.headers.get('api-key')) }),
      ),
    )
    expect(await client({ headers: { 'api-key': '7' } }).getPrice()).toEqual({ price: 7 })
  })
})
