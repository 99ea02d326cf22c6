import { lastValueFrom } from 'rxjs'
import { asyncScheduler } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createResolver, type ResolverOptions } from '../../src/wrpc/resolver.js'
import { marbles } from '../marbles.js'

const HOSTS = ['https://a.example', 'https://b.example', 'https://c.example', 'https://d.example']
const NODE = { a: 'wss://node-a', b: 'wss://node-b', c: 'ws://node-c', d: 'wss://node-d' } as const

type Host = keyof typeof NODE

/** Hosts that answer as told: a node, a status, or never. They are asked in the order of their names. */
function world(answers: Partial<Record<Host, { url?: unknown; status?: number } | 'silence'>>): {
  platform: Parameters<typeof createResolver>[0]
  asked: string[]
  dropped: string[]
} {
  const asked: string[] = []
  const dropped: string[] = []
  const fetch = (input: Parameters<typeof globalThis.fetch>[0], init?: RequestInit): Promise<Response> => {
    const address = input instanceof Request ? input.url : String(input)
    asked.push(address)
    const answer = answers[new URL(address).host.charAt(0) as Host] ?? 'silence'
    init?.signal?.addEventListener('abort', () => dropped.push(address))
    if (answer === 'silence') return new Promise(() => undefined)
    return Promise.resolve(
      new Response(JSON.stringify({ uid: 'x', url: answer.url }), { status: answer.status ?? 200 }),
    )
  }
  let order = 0
  return { platform: { fetch, random: () => (order += 0.1), scheduler: asyncScheduler }, asked, dropped }
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
  it('asks three hosts at a time, takes the first node named, and lets go of the others', async () => {
    const { platform, asked, dropped } = world({ b: { url: NODE.b } })
    expect(await resolve(platform)).toBe(NODE.b)
    expect(asked).toEqual(['a', 'b', 'c'].map((host) => `https://${host}.example/v2/kaspa/testnet-10/any/wrpc/borsh`))
    expect(dropped).toEqual(expect.arrayContaining([asked[0], asked[2]]))
  })

  it('asks for secure nodes, and takes no other, where the page is secure', async () => {
    const { platform, asked } = world({ a: { url: NODE.c }, b: { status: 500 }, c: { url: 5 }, d: { url: NODE.d } })
    expect(await resolve(platform, { secure: true })).toBe(NODE.d)
    expect(asked[0]).toContain('/tls/wrpc/borsh')
  })

  it('passes over a node that failed lately', async () => {
    const { platform } = world({ a: { url: NODE.a }, b: { url: NODE.b } })
    expect(await resolve(platform, { avoid: [NODE.a] })).toBe(NODE.b)
  })

  it('names a node that failed lately where there is no other', async () => {
    const { platform } = world({ a: { url: NODE.a }, b: { status: 503 }, c: { status: 503 }, d: { status: 503 } })
    expect(await resolve(platform, { avoid: [NODE.a] })).toBe(NODE.a)
  })

  it('fails where no host names a node, and says what to do', async () => {
    const { platform } = world({ a: { status: 404 }, b: { status: 404 }, c: { status: 404 }, d: { status: 404 } })
    expect(await resolve(platform)).toMatchObject({
      method: 'connect',
      code: 'connect-failed',
      hint: 'Give the url of a node, or try again later.',
      cause: { message: 'No public resolver named a node of testnet-10' },
    })
  })

  it(
    'waits three seconds for a host, then asks the next',
    marbles((m) => {
      const { platform } = world({})
      const question = { network: 'mainnet', encoding: 'SerdeJson' } as const
      const resolved$ = createResolver({ ...platform, scheduler: m.scheduler }, { hosts: HOSTS })(question)
      const failed = { name: 'ChainRpcError', message: 'RPC method "connect" failed' }
      m.expect(resolved$).toBeObservable('6s #', undefined, failed)
    }),
  )
})
