import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { redact } from '../../src/errors/redact.js'
import { toScriptPublicKey } from '../../src/model/address.js'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { serializeTransaction } from '../../src/model/serialized-transaction.js'
import { transactionId } from '../../src/model/transaction-id.js'
import { createTransaction } from '../../src/model/transaction.js'
import { createRestClient, type ChainRestClient } from '../../src/rest/client.js'
import { parseJson } from '../../src/rest/decoding/json.js'
import { dehydrateRest, hydrateRest } from '../../src/rest/hydration.js'
import type { ChainRestOptions } from '../../src/rest/options.js'
import { world } from '../rest/recordings.js'
import { json, serveHttp, type HttpServer } from './http-server.js'
import { PAY_TO_PUBLIC_KEY, RELAYABLE } from '../relayable-transaction.js'

const { alice = '', bob = '' } = world.addresses
const TX = world.transactions.plain ?? ''
const OTHER = 'ab'.repeat(32)
const MIB = 2 ** 20

const clientOf = ({ url }: HttpServer, options: ChainRestOptions = {}): ChainRestClient =>
  createRestClient({ baseUrl: url, retries: 0, ...options })

describe('A: an HTTP body without end', () => {
  it('is aborted beyond the limit', async () => {
    let isClosed: () => void
    const closed = new Promise<void>((resolve) => (isClosed = resolve))
    let sent = 0
    const server = await serveHttp((_, response) => {
      response.on('close', () => isClosed())
      const chunk = Buffer.alloc(MIB / 4, ' ')
      const send = (): void => {
        while (!response.destroyed && response.write(chunk)) sent += chunk.length
      }
      response.writeHead(200, { 'content-type': 'application/json' })
      response.on('drain', send)
      send()
    })
    const rest = clientOf(server, { maxResponseSize: MIB })
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({
      name: 'ChainRestError',
      code: 'too-large',
      status: 200,
      message: expect.stringContaining('got a response that is too large: the body exceeds 1048576 bytes'),
      hint: expect.stringContaining('maxResponseSize'),
    })
    await closed
    expect(sent).toBeLessThan(64 * MIB)
    expect(server.requests).toHaveLength(1)
  })

  it('is limited to 64 MiB after decompression by default', async () => {
    const bomb = gzipSync(Buffer.alloc(65 * MIB, ' '))
    expect(bomb.length).toBeLessThan(MIB / 4)
    const server = await serveHttp((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': 'gzip' }).end(bomb)
    })
    await expect(clientOf(server).getAddressBalance(alice)).rejects.toMatchObject({
      code: 'too-large',
      message: expect.stringContaining('67108864 bytes'),
    })
  })

  it('is limited for error statuses too, and not below the limit', async () => {
    const server = await serveHttp(({ url }, response) => {
      const body = JSON.stringify({ price: 1 }).padEnd(1_000)
      response.writeHead(url.endsWith('price') ? 200 : 500).end(url.endsWith('price') ? body : `${body} `)
    })
    const rest = clientOf(server, { maxResponseSize: 1_000 })
    expect(await rest.getPrice()).toEqual({ price: 1 })
    await expect(rest.getMaxHashrate()).rejects.toMatchObject({ code: 'too-large', status: 500 })
  })
})

const transaction = (id: string) => ({ transaction_id: id, is_accepted: true })
const paymentTo = (address: string) => ({
  ...transaction(TX),
  inputs: [{ previous_outpoint_address: address }],
  outputs: [{ script_public_key_address: address }],
})
const utxo = (address: string) => ({
  address,
  outpoint: { transactionId: TX, index: 0 },
  utxoEntry: { amount: '1', scriptPublicKey: { scriptPublicKey: '51' } },
})
const block = (hash: string) => ({ header: {}, verboseData: { hash } })

interface Lie {
  readonly operation: string
  readonly call: (rest: ChainRestClient) => Promise<unknown>
  readonly lie: unknown
  readonly expected: unknown
  readonly about: 'address' | 'transaction' | 'block'
}

const LIES: readonly Lie[] = [
  {
    operation: 'getAddressBalance',
    call: (rest) => rest.getAddressBalance(alice),
    lie: { address: bob, balance: 5 },
    expected: { address: alice, balance: 5 },
    about: 'address',
  },
  {
    operation: 'getBalancesByAddresses',
    call: (rest) => rest.getBalancesByAddresses([alice, bob]),
    lie: [
      { address: bob, balance: 1 },
      { address: alice, balance: 2 },
    ],
    expected: [
      { address: alice, balance: 1 },
      { address: bob, balance: 2 },
    ],
    about: 'address',
  },
  {
    operation: 'getAddressName',
    call: (rest) => rest.getAddressName(alice),
    lie: { address: bob, name: 'exchange' },
    expected: { address: alice, name: 'exchange' },
    about: 'address',
  },
  {
    operation: 'getAddressesActive',
    call: (rest) => rest.getAddressesActive([alice]),
    lie: [{ address: bob, active: true }],
    expected: [{ address: alice, active: true }],
    about: 'address',
  },
  {
    operation: 'getUtxosByAddress',
    call: (rest) => rest.getUtxosByAddress(alice),
    lie: [utxo(alice), utxo(bob)],
    expected: [utxo(alice)],
    about: 'address',
  },
  {
    operation: 'getUtxosByAddresses',
    call: (rest) => rest.getUtxosByAddresses([alice]),
    lie: [utxo(bob)],
    expected: [utxo(alice)],
    about: 'address',
  },
  {
    operation: 'getFullTransactionsByAddress',
    call: (rest) => rest.getFullTransactionsByAddress(alice),
    lie: [paymentTo(alice), paymentTo(bob)],
    expected: [paymentTo(alice)],
    about: 'address',
  },
  {
    operation: 'getFullTransactionsByAddressPage',
    call: (rest) => rest.getFullTransactionsByAddressPage(alice),
    lie: [paymentTo(bob)],
    expected: [paymentTo(alice)],
    about: 'address',
  },
  {
    operation: 'getTransaction',
    call: (rest) => rest.getTransaction(TX),
    lie: transaction(OTHER),
    expected: transaction(TX),
    about: 'transaction',
  },
  {
    operation: 'searchTransactions',
    call: (rest) => rest.searchTransactions({ transactionIds: [TX] }),
    lie: [transaction(OTHER)],
    expected: [transaction(TX)],
    about: 'transaction',
  },
  {
    operation: 'getTransactionAcceptance',
    call: (rest) => rest.getTransactionAcceptance([TX]),
    lie: [{ transactionId: OTHER, accepted: true }],
    expected: [{ transactionId: TX, accepted: true }],
    about: 'transaction',
  },
  {
    operation: 'getBlock',
    call: (rest) => rest.getBlock(TX),
    lie: block(OTHER),
    expected: block(TX),
    about: 'block',
  },
  {
    operation: 'getBlocks',
    call: (rest) => rest.getBlocks({ lowHash: TX }),
    lie: { blockHashes: [OTHER, TX], blocks: [] },
    expected: { blockHashes: [TX, OTHER], blocks: [] },
    about: 'block',
  },
]

describe('D1 a response about another address or id than requested', () => {
  it.each(LIES)('is rejected: $operation', async ({ call, lie, expected, about }) => {
    const rest = clientOf(await serveHttp(json(lie)))
    await expect(call(rest)).rejects.toMatchObject({
      code: 'unexpected-response',
      status: 200,
      body: expect.anything(),
      message: expect.stringMatching(new RegExp(`got an unexpected response: the response is about another ${about}$`)),
      hint: 'Check that baseUrl is a Kaspa REST server: the response may come from a proxy.',
    })
    expect(rest.cacheSize).toBe(0)
    await expect(call(clientOf(await serveHttp(json(expected))))).resolves.toBeDefined()
  })

  it.each([
    ['fewer', []],
    [
      'more',
      [
        { address: alice, balance: 1 },
        { address: alice, balance: 1 },
      ],
    ],
  ])('is rejected with %s entries than addresses', async (_, body) => {
    const rest = clientOf(await serveHttp(json(body)))
    await expect(rest.getBalancesByAddresses([alice])).rejects.toMatchObject({ code: 'unexpected-response' })
  })
})

describe('M6 an amount of an indexer above the maximum supply', () => {
  const above = MAX_SOMPI + 1n
  const utxoOf = (amount: bigint) =>
    `[{"outpoint":{},"utxoEntry":{"amount":"${amount}","scriptPublicKey":{"scriptPublicKey":""}}}]`

  it.each<[string, (amount: bigint) => string, (rest: ChainRestClient) => Promise<unknown>]>([
    ['a balance', (n) => `{"address":"${alice}","balance":${n}}`, (rest) => rest.getAddressBalance(alice)],
    ['a UTXO', utxoOf, (rest) => rest.getUtxosByAddress(alice)],
  ])('is malformed: %s', async (_, bodyOf, call) => {
    const serve = async (amount: bigint) =>
      clientOf(await serveHttp((_, response) => void response.end(bodyOf(amount))))
    await expect(call(await serve(MAX_SOMPI))).resolves.toBeDefined()
    await expect(call(await serve(above))).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining('is not an amount from 0 to the maximum supply') as string,
    })
  })
})

describe('D1 the reply to a submission', () => {
  const transaction = createTransaction({
    inputs: [
      {
        previousOutpoint: { transactionId: OTHER, index: 1 },
        signatureScript: '41',
        sequence: 2n ** 63n,
        sigOpCount: 1,
      },
    ],
    outputs: [{ value: 2n ** 60n, scriptPublicKey: { version: 0, script: PAY_TO_PUBLIC_KEY } }],
    lockTime: 7n,
  })
  const id = transactionId(transaction)
  const model = {
    ...{ version: 0, lockTime: 7n, subnetworkId: transaction.subnetworkId },
    inputs: transaction.inputs.map((input) => ({ ...input, sequence: '9223372036854775808' })),
    outputs: [{ amount: 2n ** 60n, scriptPublicKey: { version: 0, scriptPublicKey: PAY_TO_PUBLIC_KEY } }],
  }

  it.each([
    ['in our model', serializeTransaction(transaction)],
    ["in the server's model", model],
  ])('has the id of the transaction, %s', async (_, submitted) => {
    const honest = clientOf(await serveHttp(json({ transactionId: id })))
    await expect(honest.submitTransaction(submitted)).resolves.toEqual({ transactionId: id, known: 'new' })
    const liar = clientOf(await serveHttp(json({ transactionId: OTHER })))
    await expect(liar.submitTransaction(submitted)).rejects.toMatchObject({
      code: 'unexpected-response',
      message: expect.stringContaining(`about another transaction than ${id}`) as string,
      outcome: 'unknown',
      transactionId: id,
    })
  })
})

describe('A2 a long integer of a response', () => {
  it('is not converted beyond a thousand digits, which takes more than linear time', () => {
    expect(parseJson(`[${'9'.repeat(1_000)}]`)).toEqual([10n ** 1_000n - 1n])
    expect(parseJson(`[${'9'.repeat(1_000_000)}]`)).toEqual([Infinity])
  })

  it('is rejected as an amount', async () => {
    const body = `{"address":"${alice}","balance":${'9'.repeat(2_000)}}`
    const rest = clientOf(await serveHttp((_, response) => void response.end(body)))
    await expect(rest.getAddressBalance(alice)).rejects.toMatchObject({ code: 'malformed' })
  })
})

describe('D5 a credential in the path of a request', () => {
  it('is in no page: its response is not dehydrated', async () => {
    const rest = clientOf(await serveHttp(json({ price: 1 })))
    for (const path of ['/info/price?stream=1', '/info/price?api_key=hunter2']) await rest.request('GET', path)
    expect(rest.cacheSize).toBe(2)
    expect(dehydrateRest(rest)).toContain('stream=1')
    expect(dehydrateRest(rest)).not.toContain('hunter2')
  })

  it('is not broken by a record that looks like a dehydrated integer', async () => {
    const rest = clientOf(await serveHttp(json({ found: { $bigint: 'no integer' } })))
    const found = await rest.request('GET', '/x')
    const browser = clientOf({ url: rest.baseUrl, requests: [] })
    hydrateRest(browser, dehydrateRest(rest))
    await expect(browser.request('GET', '/x')).resolves.toEqual(found)
  })
})

describe('D2 a redirect to another origin', () => {
  const redirected = async () => {
    const thief = await serveHttp(json({ transactionId: TX }))
    const server = await serveHttp((_, response) => {
      response.writeHead(307, { location: `${thief.url}/stolen` }).end()
    })
    return { thief, server }
  }
  const refusal = { code: 'network', hint: expect.stringContaining('A redirect fails too') as string }

  it('is not followed by a submission', async () => {
    const { thief, server } = await redirected()
    const call = clientOf(server).submitTransaction(RELAYABLE)
    await expect(call).rejects.toMatchObject(refusal)
    expect([server.requests.length, thief.requests]).toEqual([1, []])
  })

  it('is not followed by any POST', async () => {
    const { thief, server } = await redirected()
    await expect(clientOf(server).getBalancesByAddresses([alice])).rejects.toMatchObject(refusal)
    await expect(clientOf(server).request('POST', '/x', { body: { secret: 1 } })).rejects.toMatchObject(refusal)
    expect([server.requests.length, thief.requests]).toEqual([2, []])
  })

  it('is not followed by a GET with headers', async () => {
    const { thief, server } = await redirected()
    const call = clientOf(server, { headers: { 'x-api-key': 'secret' } }).getPrice()
    await expect(call).rejects.toMatchObject(refusal)
    expect([server.requests[0]?.headers['x-api-key'], thief.requests]).toEqual(['secret', []])
  })
})

describe('D3 a path that leaves the base URL once it is decoded', () => {
  it.each([
    '/a/../../admin',
    '/%2e%2e/admin',
    '/a%2f..%2fadmin',
    '/a/%2e%2e%2fadmin',
    '/%2E.%2Fadmin',
    '/%252e%252e/admin',
    '/%25252e%25252e%25252fadmin',
    '/a/..%5cadmin',
    '/%5c%5cother.test/',
    '/%2fother.test/',
    '/a/%2e/b',
    '/a/..',
    '/a%00',
    '/a/%zz',
    '/%c0%ae%c0%ae/admin',
  ])('is refused before a request is sent: %s', async (path) => {
    const server = await serveHttp(json({}))
    const rest = createRestClient({ baseUrl: `${server.url}/below`, headers: { 'x-api-key': 'secret' } })
    await expect(rest.request('GET', path)).rejects.toMatchObject({ code: 'invalid-argument', argument: 'path' })
    expect(server.requests).toEqual([])
  })

  it.each([
    '/addresses/kaspa%3Aqq/balance',
    '/a%2fb',
    '/100%25',
    '/%E2%82%BF',
    '/a..b/c.',
    '/a?next=/../b',
    '/a?b=%2e%2e%2f',
  ])('is sent if it stays below: %s', async (path) => {
    const server = await serveHttp(json({}))
    await createRestClient({ baseUrl: `${server.url}/below` }).request('GET', path)
    expect(server.requests.map(({ url }) => url)).toEqual([`/below${path}`])
  })
})

describe('D5 a credential in a URL', () => {
  it('is masked in every field of an error', async () => {
    const server = await serveHttp((_, response) => response.writeHead(500).end('{}'))
    const path = '/x?api_key=hunter2&plain=1'
    const error = await clientOf(server)
      .request('GET', path, { query: { token: 'hunter2' } })
      .catch((failure: unknown) => failure)
    expect(error).toMatchObject({ url: `${server.url}/x?api_key=***&plain=1&token=***` })
    const fields = Object.getOwnPropertyNames(error).map((name) => String((error as Record<string, unknown>)[name]))
    expect([...fields, String(error)].join()).not.toContain('hunter2')
    expect(server.requests[0]?.url).toBe('/x?api_key=hunter2&plain=1&token=hunter2')
  })

  it.each([
    ['https://user:secret@host/x', 'https://***@host/x'],
    ['https://host/x?a=1&access_token=s&b', 'https://host/x?a=1&access_token=***&b'],
    ['/x?PASSWORD=s#top', '/x?PASSWORD=***'],
    ['https://host/x@y?z=1', 'https://host/x@y?z=1'],
  ])('is masked: %s', (url, masked) => {
    expect(redact(url)).toBe(masked)
  })
})

describe('F3: a page of an address with rows that cannot be', () => {
  const script = toScriptPublicKey(alice).script
  const row = (output: object, more: object = {}): object => ({
    transaction_id: TX,
    is_accepted: true,
    accepting_block_blue_score: 7,
    accepting_block_time: 1_700_000_000_000,
    inputs: [],
    outputs: [
      {
        transaction_id: TX,
        index: 0,
        amount: 5,
        script_public_key: script,
        script_public_key_address: alice,
        ...output,
      },
    ],
    ...more,
  })
  const pageOf = async (record: object): Promise<unknown> => {
    const server = await serveHttp(json([record]))
    return clientOf(server).getAddressTransactionPage(alice, { limit: 50 })
  }

  it('is accepted where they can', async () => {
    await expect(pageOf(row({}))).resolves.toMatchObject({ transactions: [{ transactionId: TX }] })
  })

  it.each([
    ['an amount above the supply', row({ amount: 2 ** 63 }), 'an amount is not'],
    ['an amount of 0', row({ amount: 0 }), 'an amount is not'],
    ['an address that is not that of the script', row({ script_public_key_address: bob }), 'not that of its script'],
    ['an address that is none', row({ script_public_key_address: 'kaspa:x' }), 'not that of its script'],
    [
      'a spent amount above the supply',
      row({}, { inputs: [{ previous_outpoint_amount: 2 ** 63 }] }),
      'an amount is not',
    ],
    [
      'a sum above the supply',
      row({}, { inputs: [1, 2].map(() => ({ previous_outpoint_amount: Number(MAX_SOMPI) })) }),
      'exceed the maximum supply',
    ],
  ])('is an unexpected response with %s', async (_, record, message) => {
    await expect(pageOf(record)).rejects.toMatchObject({
      code: 'unexpected-response',
      message: expect.stringContaining(message),
    })
  })

  it.each([
    ['an amount below 0', row({ amount: -5 }), '"amount" is not'],
    ['a negative blue score', row({}, { accepting_block_blue_score: -1 }), '"accepting_block_blue_score" is not'],
    ['a negative time', row({}, { accepting_block_time: -1 }), '"accepting_block_time" is not'],
    ['a time beyond a double', row({}, { block_time: 2 ** 63 }), '"block_time" is not'],
  ])('is malformed with %s', async (_, record, message) => {
    await expect(pageOf(record)).rejects.toMatchObject({
      code: 'malformed',
      message: expect.stringContaining(message),
    })
  })
})
