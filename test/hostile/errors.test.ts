import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { ChainError } from '../../src/errors/chain-error.js'
import { ChainRestError } from '../../src/errors/rest-error.js'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import { toConnectionState } from '../../src/streams/connection/state.js'
import { initialConnection } from '../../src/streams/connection/reduce-connection.js'

/** Nested deeper than a recursive serialiser can read. */
function nested(depth: number): unknown {
  let value: unknown = 1
  for (let at = 0; at < depth; at++) value = [value]
  return value
}

const BODIES: Readonly<Record<string, unknown>> = {
  'exact amounts': { amount: 2n ** 64n - 1n, list: [1n] },
  'deep nesting': nested(100_000),
  'a function and a symbol': { toJSON: () => 1n, mark: Symbol('x') },
  'its own prototype': JSON.parse('{"__proto__":{"toJSON":1},"constructor":1}'),
  nothing: undefined,
}

describe('D4: an error', () => {
  it.each(Object.entries(BODIES))('serialises with a body of %s', (_, body) => {
    const error = new ChainRestError({ code: 'http', status: 500, method: 'GET', url: 'https://rest.example/x', body })
    const parsed = JSON.parse(JSON.stringify({ error })) as { error: object }
    expect(parsed.error).toMatchObject({ name: 'ChainRestError', code: 'http', status: 500, message: error.message })
    expect(structuredClone(error).message).toBe(error.message)
    expect(inspect(error)).toContain(error.message)
  })

  it.each([{ target: { send: () => undefined } }, () => undefined])('serialises with the cause %o', (cause) => {
    const error = new ChainError('failed', { cause })
    expect(error.cause).toBe(cause)
    expect(structuredClone(error).message).toBe('failed')
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ message: 'failed' })
    expect(inspect(error)).toContain('failed')
  })

  it('keeps an exact amount as decimal digits', () => {
    const error = new ChainRestError({ method: 'GET', url: 'https://x', body: { amount: 2n ** 64n - 1n } })
    expect(JSON.parse(JSON.stringify(error))).toMatchObject({ body: { amount: '18446744073709551615' } })
  })
})

describe('D5: a credential in a URL', () => {
  it('is in no part of an error', () => {
    const url = 'wss://user:hunter2@node.example/?token=hunter2'
    const cause = new TypeError(`bad ${url}`, { cause: new Error(url) })
    const error = new ChainRpcError('connect', new ChainError(`${url} could not be reached`, { cause }), {
      details: url,
      hint: url,
    })
    const texts = [inspect(error, { depth: 10 }), JSON.stringify(error), String(error), String(error.stack)]
    expect(texts.filter((text) => text.includes('hunter2'))).toEqual([])
  })

  it('is not in the connection state', () => {
    const url = 'wss://user:hunter2@node.example'
    const target = { network: 'mainnet', encoding: 'Borsh', urls: [url], resolver: 'skip' } as const
    const state = {
      ...initialConnection(target),
      status: 'connected',
      candidate: { via: 'url', url },
      url,
      session: 1,
    } as const
    expect(toConnectionState(state).url).toBe('wss://***@node.example')
  })
})
