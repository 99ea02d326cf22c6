import { describe, expect, expectTypeOf, it } from 'vitest'
import { lazyMethods } from '../../../src/loading/lazy-methods.js'
import { QUERY_NAMES } from '../../../src/operations/queries/names.js'
import { createSentIds } from '../../../src/model/bounded-collections.js'
import { createQueries } from '../../../src/operations/queries/queries.js'
import type { RpcQueries } from '../../../src/operations/queries/rpc-queries.js'
import { scriptedCall } from './scripted-call.js'

describe('the names of the queries', () => {
  it('are those of all queries', () => {
    const { call } = scriptedCall({})
    const loaded = createQueries({ call, network: () => 'simnet', sentIds: createSentIds() })
    expect([...QUERY_NAMES].sort()).toEqual(Object.keys(loaded).sort())
    expectTypeOf<(typeof QUERY_NAMES)[number]>().toEqualTypeOf<keyof RpcQueries>()
  })

  it('make queries that resolve like loaded ones', async () => {
    const { call, calls } = scriptedCall({ getSink: { sink: 'ab'.repeat(32) } })
    const rpc = lazyMethods(QUERY_NAMES, () =>
      Promise.resolve(createQueries({ call, network: () => 'simnet', sentIds: createSentIds() })),
    )
    expect(await rpc.getSink()).toEqual({ sink: 'ab'.repeat(32) })
    expect(calls).toHaveLength(1)
  })
})
