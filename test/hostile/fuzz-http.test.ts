import { asyncScheduler, lastValueFrom } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRestError } from '../../src/errors/rest-error.js'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { decodeResponse } from '../../src/rest/decoding/decode-response.js'
import type { DecoderName } from '../../src/rest/decoding/decoders.js'
import { createResolver } from '../../src/wrpc/resolver.js'
import { runs } from '../full.js'
import { FAMILIES, decoderOf } from '../rest/recording-decoders.js'
import { recordingsOf } from '../rest/recordings.js'
import { damageText, randomOf, type Random } from '../wrpc/mutation.js'
import { LIMIT } from '../limits.js'

/** `FUZZ_SEED` replays a failure. */
const SEED = Number(process.env.FUZZ_SEED ?? 20_251_122)
const BODIES = runs(5_000, 100_000)

interface Exchange {
  readonly name: string
  readonly decoder: DecoderName
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

const exchanges: readonly Exchange[] = FAMILIES.flatMap((family) =>
  recordingsOf(family).flatMap((one) => {
    const decoder = decoderOf(one)
    return decoder === undefined || one.body.length > 20_000 ? [] : [{ ...one, decoder }]
  }),
)

const HOSTILE_VALUES = [
  null,
  '',
  -1,
  2 ** 53,
  '18446744073709551616',
  [],
  {},
  { __proto__: null },
  JSON.parse('{"__proto__":{"x":1},"constructor":1,"length":-1}') as unknown,
  [[[[]]]],
  true,
  '\u0000',
]

/** Replaces one random value of a JSON body, or damages its text. */
function damage(body: string, random: Random): string {
  if (random() < 0.5) return damageText(body, random)
  try {
    return JSON.stringify(replaceIn(JSON.parse(body), random))
  } catch {
    return damageText(body, random) // plain text
  }
}

function replaceIn(value: unknown, random: Random): unknown {
  const keys = typeof value === 'object' && value !== null ? Object.keys(value) : []
  const key = keys[Math.floor(random() * keys.length)]
  if (key === undefined || random() < 0.2) return HOSTILE_VALUES[Math.floor(random() * HOSTILE_VALUES.length)]
  const record = value as Readonly<Record<string, unknown>>
  const changed = replaceIn(record[key], random)
  if (!Array.isArray(value)) return { ...record, [key]: changed }
  return value.map((item: unknown, at) => (String(at) === key ? changed : item))
}

describe('a damaged response of an indexer', () => {
  it(
    `is decoded or rejected by ChainRestError, which serialises (seed ${String(SEED)})`,
    { timeout: 2 * LIMIT },
    async () => {
      const random = randomOf(SEED)
      const outcomes = { decoded: 0, rejected: 0 }
      for (let count = 0; count < BODIES; count++) {
        const exchange = exchanges[Math.floor(random() * exchanges.length)]!
        const { decoder, status, headers } = exchange
        const body = damage(exchange.body, random)
        const response = new Response(body, { status, headers: { 'content-type': headers['content-type'] ?? '' } })
        const target = { method: 'GET' as const, url: `https://indexer.test/${exchange.name}` }
        const outcome: unknown = await decodeResponse(target, response, decoder).catch((error: unknown) => ({ error }))
        const { error } = outcome as { readonly error?: unknown }
        outcomes[error === undefined ? 'decoded' : 'rejected']++
        if (error === undefined) continue
        if (!(error instanceof ChainRestError))
          expect.fail(`FUZZ_SEED=${String(SEED)}, ${decoder}: ${JSON.stringify(error)}\n${body}`)
        JSON.stringify(error)
      }
      expect(outcomes.decoded).toBeGreaterThan(BODIES / 20)
      expect(outcomes.rejected).toBeGreaterThan(BODIES / 20)
    },
  )
})

describe('a damaged response of a resolver', () => {
  const RESPONSE = JSON.stringify({ uid: 'b1', url: 'wss://node-1.kaspa.example/kaspa/mainnet/wrpc/borsh' })

  it(`is a wss URL of a public host without credentials, or rejected (seed ${String(SEED)})`, async () => {
    const random = randomOf(SEED)
    let resolved = 0
    for (let count = 0; count < BODIES / 5; count++) {
      const body = damage(RESPONSE, random)
      const platform = { fetch: () => Promise.resolve(new Response(body)), random: () => 0, scheduler: asyncScheduler }
      const query = { network: 'mainnet', encoding: 'Borsh' } as const
      const url$ = createResolver(platform, { hosts: ['https://resolver.example'] })(query)
      const outcome: unknown = await lastValueFrom(url$).catch((error: unknown) => error)
      if (typeof outcome !== 'string') {
        expect(outcome).toBeInstanceOf(ChainRpcError)
        continue
      }
      resolved++
      const { protocol, username, password, search, hash, hostname } = new URL(outcome)
      expect([protocol, username, password, search, hash]).toEqual(['wss:', '', '', '', ''])
      expect(hostname).toMatch(/\./)
    }
    expect(resolved).toBeGreaterThan(0)
  })
})
