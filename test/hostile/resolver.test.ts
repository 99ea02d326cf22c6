import { asyncScheduler, lastValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { ChainNetwork } from '../../src/model/network.js'
import { createResolver } from '../../src/wrpc/resolver.js'

const PUBLIC = 'https://resolver.example'

interface Query {
  readonly host?: string
  readonly network?: ChainNetwork
  readonly secure?: boolean
}

/** The outcome of a resolver that responds with this body: a URL or an error. */
function resolve(respond: () => Response, { host = PUBLIC, network = 'mainnet', secure = false }: Query = {}) {
  const platform = { fetch: () => Promise.resolve(respond()), random: () => 0.5, scheduler: asyncScheduler }
  const url$ = createResolver(platform, { hosts: [host], secure })({ network, encoding: 'Borsh' })
  return lastValueFrom(url$).catch((error: unknown) => error)
}

const resolveUrl = (url: string, query?: Query) => resolve(() => Response.json({ uid: 'x', url }), query)

/** The details of the error that names the rejected response. */
const reasonOf = async (outcome: Promise<unknown>): Promise<string> => {
  const error = (await outcome) as { readonly cause?: { readonly cause?: readonly Error[] } }
  return error.cause?.cause?.[0]?.message ?? 'no error'
}

const REJECTED = 'The node URL of the resolver was rejected: '

describe('D6: the URL from a resolver', () => {
  it.each([
    'wss://node.example',
    'wss://node.example:8443/',
    'wss://node.example/kaspa/mainnet/wrpc/borsh',
    'wss://8.8.8.8',
  ])('accepts %s', async (url) => {
    expect(await resolveUrl(url)).toBe(url)
  })

  it.each([
    ['ws://node.example', 'it is not a wss URL'],
    ['http://node.example', 'it is not a wss URL'],
    ['ws://127.0.0.1:17110', 'it is not a wss URL'],
    ['wss://user:pass@node.example', 'it has credentials'],
    ['wss://node.example/?token=1', 'it has a query'],
    ['wss://node.example/#x', 'it has a query'],
    ['wss://node.example/admin', 'it has a path'],
    ['wss://node.example/kaspa/testnet-10/wrpc/borsh', 'it has a path'],
    ...[
      'localhost',
      'a.localhost',
      'router',
      'nas.local',
      '127.0.0.1',
      '127.1',
      '0x7f000001',
      '0.0.0.0',
      '10.1.2.3',
      '100.64.0.1',
      '169.254.169.254',
      '172.16.0.1',
      '172.31.255.255',
      '192.168.1.1',
      '198.18.0.1',
      '224.0.0.1',
      '[::1]',
      '[::]',
      '[fe80::1]',
      '[fd00::1]',
      '[::ffff:10.0.0.1]',
      '[64:ff9b::a00:1]',
      '[2002:a00:1::]',
      'localhost.',
    ].map((host) => [`wss://${host}`, 'its address is private']),
  ])('rejects %s: %s', async (url, reason) => {
    expect(await reasonOf(resolveUrl(url))).toBe(REJECTED + reason)
  })

  it.each(['172.15.0.1', '172.32.0.1', '100.128.0.1', '192.169.0.1', '[2606:4700::1111]'])(
    'accepts %s',
    async (host) => {
      expect(await resolveUrl(`wss://${host}`)).toBe(`wss://${host}`)
    },
  )

  it('may be a private address where the resolver has one', async () => {
    expect(await resolveUrl('wss://10.0.0.7', { host: 'http://192.168.1.2' })).toBe('wss://10.0.0.7')
  })

  it.each<ChainNetwork>(['simnet', 'devnet'])('may be plain on loopback on %s', async (network) => {
    expect(await resolveUrl('ws://127.0.0.1:17510', { network })).toBe('ws://127.0.0.1:17510')
    expect(await reasonOf(resolveUrl('ws://10.0.0.1:17510', { network }))).toBe(`${REJECTED}it is not a wss URL`)
    expect(await reasonOf(resolveUrl('ws://127.0.0.1', { network, secure: true }))).toBe(
      `${REJECTED}it is not a wss URL`,
    )
  })

  it.each(['[]', '{}', '{"url":1}', '{"url":"nonsense"}', 'null'])('is missing in %s', async (body) => {
    expect(await reasonOf(resolve(() => new Response(body)))).toBe('The resolver returned no node URL')
  })
})

describe('A6: a response of a resolver', () => {
  it('is read up to 64 KiB, then the request is cancelled', async () => {
    let chunks = 0
    let cancelled = false
    const endless = new ReadableStream<Uint8Array>(
      {
        pull: (controller) => {
          chunks += 1
          controller.enqueue(new Uint8Array(16_384).fill(0x20))
        },
        cancel: () => {
          cancelled = true
        },
      },
      { highWaterMark: 0 },
    )
    expect(await reasonOf(resolve(() => new Response(endless)))).toBe('The response has more than 65536 bytes')
    expect({ chunks, cancelled }).toEqual({ chunks: 5, cancelled: true })
  })

  it('is read up to maxResponseSize', async () => {
    const platform = {
      fetch: () => Promise.resolve(Response.json({ url: 'wss://node.example' })),
      random: () => 0,
      scheduler: asyncScheduler,
    }
    const settings = { hosts: [PUBLIC], maxResponseSize: 20 }
    const outcome = lastValueFrom(createResolver(platform, settings)({ network: 'mainnet', encoding: 'Borsh' }))
    expect(await reasonOf(outcome.catch((error: unknown) => error))).toBe('The response has more than 20 bytes')
  })

  it('may arrive in chunks that split a character', async () => {
    const bytes = new TextEncoder().encode('{"uid":"é","url":"wss://node.example"}')
    const body = new ReadableStream<Uint8Array>({
      start: (controller) => {
        for (const byte of bytes) controller.enqueue(Uint8Array.of(byte))
        controller.close()
      },
    })
    expect(await resolve(() => new Response(body))).toBe('wss://node.example')
  })
})
