import { describe, expect, expectTypeOf, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { deferQueries } from '../../../src/operations/queries/deferred.js'
import { QUERY_NAMES } from '../../../src/operations/queries/names.js'
import { createQueries } from '../../../src/operations/queries/queries.js'
import type { RpcQueries } from '../../../src/operations/queries/rpc-queries.js'
import { scriptedCall } from './scripted-call.js'

describe('queries that have yet to be fetched', () => {
  it('are all there, and no others', () => {
    const { call } = scriptedCall({})
    const loaded = createQueries({ call, network: () => 'simnet' })
    expect([...QUERY_NAMES].sort()).toEqual(Object.keys(loaded).sort())
    expectTypeOf<(typeof QUERY_NAMES)[number]>().toEqualTypeOf<keyof RpcQueries>()
  })

  it('answer as the fetched ones do', async () => {
    const { call, asked } = scriptedCall({ getSink: { sink: 'ab'.repeat(32) } })
    const rpc = deferQueries(() => Promise.resolve(createQueries({ call, network: () => 'simnet' })))
    expect(await rpc.getSink()).toEqual({ sink: 'ab'.repeat(32) })
    expect(asked).toHaveLength(1)
  })

  it('say what failed where they cannot be fetched', async () => {
    const cause = new TypeError('Failed to fetch dynamically imported module')
    const failure: unknown = await deferQueries(() => Promise.reject(cause))
      .getSink()
      .catch((error: unknown) => error)
    expect(failure).toBeInstanceOf(ChainRpcError)
    expect(failure).toMatchObject({
      message: 'RPC method "getSink" failed',
      method: 'getSink',
      code: 'failed',
      cause,
      hint: 'A part of vue-chain could not be fetched: check that the page is online, and call again.',
    })
  })
})
