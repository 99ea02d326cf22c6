import { createServer } from 'node:http'
import { describe, expect, it, onTestFinished } from 'vitest'
import { createSignInHandler } from '../../src/engine/sign-in-handler/create-sign-in-handler.js'
import {
  createMemoryNonceStore,
  type NonceStore,
  type SignInHandlerOptions,
} from '../../src/engine/sign-in-handler/respond.js'
import { createSignInMessage } from '../../src/operations/keys/sign-in-message.js'
import { createKeys } from '../../src/operations/keys/keys.js'
import { light } from '../../src/sdk/light/light.js'
import { attack, openRequest, statusOf, statusOfGood } from '../hostile/attacks.js'
import { listen } from '../listen.js'

const port = await light.loadPort()
const keys = createKeys(() => port)
const { address, privateKeyHex } = keys.generateKeypair('mainnet')
const DOMAIN = 'example.com'
const MINUTE = 60_000

/** A message with a nonce, signed. */
function signed(nonce: string, validity = 5 * MINUTE): string {
  const issuedAt = Date.now()
  const message = createSignInMessage({ domain: DOMAIN, address, nonce, issuedAt, expiresAt: issuedAt + validity })
  return JSON.stringify({ message, signature: keys.signMessage(message, privateKeyHex).signature })
}

type Send = (path: string, init?: RequestInit) => Promise<Response>

/** The two kinds of servers. */
const SERVERS: readonly [name: string, open: (options: SignInHandlerOptions) => Promise<Send>][] = [
  [
    'fetch',
    (options) => {
      const handler = createSignInHandler(options)
      return Promise.resolve((path, init) => handler.fetch(new Request(`https://${DOMAIN}${path}`, init)))
    },
  ],
  [
    'Node',
    async (options) => {
      const url = await serve(options)
      return (path, init) => fetch(url + path, init)
    },
  ],
]

async function serve(options: SignInHandlerOptions): Promise<string> {
  const handler = createSignInHandler(options)
  const { url, close } = await listen(createServer((request, response) => void handler.node(request, response)))
  onTestFinished(close)
  return url
}

const JSON_HEADERS = { 'content-type': 'application/json' }
const nonceOf = async (send: Send): Promise<string> => (await send('/api/nonce', { method: 'POST' })).text()
const signIn = (send: Send, body: string, headers: Record<string, string> = {}): Promise<Response> =>
  send('/api/sign-in', { method: 'POST', body, headers: { ...JSON_HEADERS, ...headers } })

describe.each(SERVERS)('createSignInHandler on a %s server', (_, open) => {
  it('signs an address in once for each nonce, with the headers of onSignIn', async () => {
    const refusals: string[] = []
    const send = await open({
      domain: DOMAIN,
      store: createMemoryNonceStore(),
      onSignIn: (fields) => ({ 'set-cookie': `address=${fields.address}` }),
      onRefused: (reason) => void refusals.push(reason),
    })
    const nonce = await nonceOf(send)
    expect(nonce).toMatch(/^[0-9a-f]{32}$/)
    const first = await signIn(send, signed(nonce))
    expect([first.status, first.headers.get('set-cookie')]).toEqual([204, `address=${address}`])
    expect((await signIn(send, signed(nonce))).status).toBe(401)
    expect((await signIn(send, signed('0'.repeat(32)))).status).toBe(401)
    expect(refusals).toEqual(['wrong-nonce', 'wrong-nonce'])
  })

  it('stores nonces for maxValidity, and refuses messages that are valid for longer', async () => {
    const added: number[] = []
    const memory = createMemoryNonceStore()
    const store: NonceStore = {
      ...memory,
      add: (nonce, expiresAt) => {
        added.push(expiresAt - Date.now())
        return memory.add(nonce, expiresAt)
      },
    }
    const send = await open({ domain: DOMAIN, store, maxValidity: 10 * MINUTE })
    const nonce = await nonceOf(send)
    expect(added[0]).toBeGreaterThan(9 * MINUTE)
    expect(added[0]).toBeLessThanOrEqual(10 * MINUTE)
    expect((await signIn(send, signed(nonce, 11 * MINUTE))).status).toBe(401)
    expect((await signIn(send, signed(nonce))).status).toBe(204)
  })

  it.each([
    ['a foreign origin', 403, { origin: 'https://evil.test' }, '{}'],
    ['an opaque origin', 403, { origin: 'null' }, '{}'],
    ['a text', 415, { 'content-type': 'text/plain' }, '{}'],
    ['no JSON', 400, {}, '{'],
    ['another shape', 400, {}, '[]'],
    ['a message that is no text', 400, {}, '{"message":1,"signature":"00"}'],
    ['a malformed message', 401, {}, '{"message":"x","signature":"00"}'],
    ['a body above 16 KiB', 413, {}, JSON.stringify({ message: 'x'.repeat(16_384), signature: '' })],
  ])('refuses %s with %i', async (__, status, headers, body) => {
    const send = await open({ domain: DOMAIN, store: createMemoryNonceStore() })
    expect((await signIn(send, body, headers)).status).toBe(status)
  })

  it('refuses other paths and methods, and issues no nonce to a foreign page', async () => {
    const send = await open({ domain: DOMAIN, store: createMemoryNonceStore() })
    expect((await send('/api/nonce')).status).toBe(405)
    expect((await send('/', { method: 'POST' })).status).toBe(404)
    const foreign = await send('/api/nonce', { method: 'POST', headers: { origin: 'https://evil.test' } })
    expect(foreign.status).toBe(403)
    const own = await send('/api/nonce', { method: 'POST', headers: { origin: `https://${DOMAIN}` } })
    expect(own.status).toBe(200)
  })

  it('responds with 500 where the store or onSignIn fails, without its words', async () => {
    const failing = { ...createMemoryNonceStore(), add: () => Promise.reject(new Error('postgres://u:p@h')) }
    const send = await open({ domain: DOMAIN, store: failing })
    const response = await send('/api/nonce', { method: 'POST' })
    expect([response.status, await response.text()]).toEqual([500, ''])
    const without = await open({
      domain: DOMAIN,
      store: createMemoryNonceStore(),
      onSignIn: () => Promise.reject(new Error('no session')),
    })
    expect((await signIn(without, signed(await nonceOf(without)))).status).toBe(500)
  })

  it('responds with 500 to headers of onSignIn that no server sends', async () => {
    const store = createMemoryNonceStore()
    const send = await open({ domain: DOMAIN, store, onSignIn: () => ({ 'set-cookie': 'name=a\nb' }) })
    expect((await signIn(send, signed(await nonceOf(send)))).status).toBe(500)
  })
})

describe('createSignInHandler on a server of Node', () => {
  it('survives a hostile client', async () => {
    const url = await serve({ domain: DOMAIN, store: createMemoryNonceStore() })
    const target = { url, post: '/api/sign-in', get: ['/api/nonce', 405] as const }
    expect(await attack(target)).toMatchObject({
      'foreign origin, text': 403,
      'wrong content type': 415,
      'no JSON': 400,
      oversized: 413,
      'oversized in chunks': 413,
    })
    expect(await statusOfGood(target)).toBe(405)
  })

  it('ends a body that does not arrive in time', async () => {
    const url = await serve({ domain: DOMAIN, store: createMemoryNonceStore(), bodyTimeout: 50 })
    const head = ['POST /api/sign-in HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 100']
    expect(await statusOf(url, head, '{')).toBe(408)
  })

  it('stays where an upload is broken off', async () => {
    const url = await serve({ domain: DOMAIN, store: createMemoryNonceStore() })
    const head = ['POST /api/sign-in HTTP/1.1', 'Host: x', 'Content-Type: application/json', 'Content-Length: 100']
    for (let nth = 0; nth < 20; nth++) (await openRequest(url, head, '{')).destroy()
    expect((await fetch(`${url}/api/nonce`, { method: 'POST' })).status).toBe(200)
  })
})

it.each([
  ['domain', { domain: 'https://example.com' }],
  ['store', { store: {} }],
  ['maxValidity', { maxValidity: Number.NaN }],
  ['maxBodySize', { maxBodySize: 0 }],
  ['bodyTimeout', { bodyTimeout: -1 }],
  ['nonces', { nonces: 1 }],
])('createSignInHandler rejects an invalid %s', (argument, changed) => {
  const options = { domain: DOMAIN, store: createMemoryNonceStore(), ...changed } as SignInHandlerOptions
  expect(() => createSignInHandler(options)).toThrow(expect.objectContaining({ code: 'invalid-argument', argument }))
})

describe('createMemoryNonceStore', () => {
  it('accepts a nonce once, until it expires', () => {
    let now = 0
    const store = createMemoryNonceStore({ now: () => now })
    void store.add('a', 10)
    void store.add('b', 10)
    expect([store.consume('a'), store.consume('a'), store.consume('c')]).toEqual([true, false, false])
    now = 10
    expect(store.consume('b')).toBe(false)
  })

  it('drops the oldest beyond its limit, and what has expired', () => {
    let now = 0
    const store = createMemoryNonceStore({ maxNonces: 3, now: () => now })
    for (const nonce of ['a', 'b', 'c', 'd']) void store.add(nonce, 10)
    expect(['a', 'b'].map((nonce) => store.consume(nonce))).toEqual([false, true])
    now = 10
    void store.add('e', 20)
    now = 0
    expect(['c', 'd', 'e'].map((nonce) => store.consume(nonce))).toEqual([false, false, true])
  })
})
