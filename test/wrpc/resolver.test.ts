import { lastValueFrom } from 'rxjs'
import { asyncScheduler } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createResolver, type ResolverOptions } from '../../src/wrpc/resolver.js'
import { marbles } from '../marbles.js'

const HOSTS = ['https://a.example', 'https://b.example', 'https://c.example', 'https://d.example']
const NODE = {
  a: 'wss://node-a.example',
  b: 'wss://node-b.example',
  c: 'ws://node-c.example',
  d: 'wss://node-d.example',
} as const

type Host = keyof typeof NODE

/** Resolver hosts that respond with a node, a status, or never. They are queried in alphabetical order. */
function hosts(results: Partial<Record<Host, { url?: unknown; status?: number } | 'pending'>>): {
  platform: Parameters<typeof createResolver>[0]
  requested: string[]
  aborted: string[]
} {
  const requested: string[] = []
  const aborted: string[] = []
  const fetch = (input: Parameters<typeof globalThis.fetch>[0], init?: RequestInit): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input)
    requested.push(address)
    const result = results[new URL(address).host.charAt(0) as Host] ?? 'pending'
    init?.signal?.addEventListener('abort', () => aborted.push(address))
    if (result === 'pending') return new Promise(() => undefined)
    return Promise.resolve(
      new Response(JSON.stringify({ uid: 'x', url: result.url }), { status: result.status ?? 200 }),
    )
  }
  let order = 0
  return { platform: { fetch, random: () => (order += 0.1), scheduler: asyncScheduler }, requested, aborted }
}

const resolve = (
  platform: Parameters<typeof createResolver>[0],
  { avoid = [], ...options }: ResolverOptions & { avoid?: readonly string[] } = {},
): Promise<unknown> =>
  lastValueFrom(
    createResolver(platform, { hosts: HOSTS, ...options })({
      network: 'testnet-10',
      encoding: 'Borsh',
      avoid: new Set(avoid),
    }),
  ).catch((error: unknown) => error)

describe('a resolver', () => {
  it('queries three hosts in parallel, emits the first node and aborts the others', async () => {
    const { platform, requested, aborted } = hosts({ b: { url: NODE.b } })
    expect(await resolve(platform)).toBe(NODE.b)
    expect(requested).toEqual(
      ['a', 'b', 'c'].map((host) => `https://${host}.example/v2/kaspa/testnet-10/any/wrpc/borsh`),
    )
    expect(aborted).toEqual(expect.arrayContaining([requested[0], requested[2]]))
  })

  it('requests and accepts only secure nodes on a secure page', async () => {
    const { platform, requested } = hosts({ a: { url: NODE.c }, b: { status: 500 }, c: { url: 5 }, d: { url: NODE.d } })
    expect(await resolve(platform, { secure: true })).toBe(NODE.d)
    expect(requested[0]).toContain('/tls/wrpc/borsh')
  })

  it('skips a node that failed recently', async () => {
    const { platform } = hosts({ a: { url: NODE.a }, b: { url: NODE.b } })
    expect(await resolve(platform, { avoid: [NODE.a] })).toBe(NODE.b)
  })

  it('emits a node that failed recently if there is no other', async () => {
    const { platform } = hosts({ a: { url: NODE.a }, b: { status: 503 }, c: { status: 503 }, d: { status: 503 } })
    expect(await resolve(platform, { avoid: [NODE.a] })).toBe(NODE.a)
  })

  it('fails with a hint if no host returns a node', async () => {
    const { platform } = hosts({ a: { status: 404 }, b: { status: 404 }, c: { status: 404 }, d: { status: 404 } })
    expect(await resolve(platform)).toMatchObject({
      method: 'connect',
      code: 'connect-failed',
      hint: 'Set url to a node, or try again later.',
      cause: { message: 'No public resolver has a node of testnet-10' },
    })
  })

  it(
    'queries the next host after a timeout of three seconds',
    marbles((m) => {
      const { platform } = hosts({})
      const request = { network: 'mainnet', encoding: 'SerdeJson' } as const
      const resolved$ = createResolver({ ...platform, scheduler: m.scheduler }, { hosts: HOSTS })(request)
      const failed = { name: 'ChainRpcError', message: 'Could not connect: no public resolver has a node of mainnet' }
      m.expect(resolved$).toBeObservable('6s #', undefined, failed)
    }),
  )
})
