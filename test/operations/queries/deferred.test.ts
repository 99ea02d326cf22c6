import { describe, expect, expectTypeOf, it } from 'vitest'
import { deferQueries } from '../../../src/operations/queries/deferred.js'
import { QUERY_NAMES } from '../../../src/operations/queries/names.js'
import { createSentIds } from '../../../src/model/sent-ids.js'
import { createQueries } from '../../../src/operations/queries/queries.js'
import type { RpcQueries } from '../../../src/operations/queries/rpc-queries.js'
import { scriptedCall } from './scripted-call.js'

describe('deferred queries', () => {
  it('have the names of all queries', () => {
    const { call } = scriptedCall({})
    const loaded = createQueries({ call, network: () => 'simnet', sentIds: createSentIds() })
    expect([...QUERY_NAMES].sort()).toEqual(Object.keys(loaded).sort())
    expectTypeOf<(typeof QUERY_NAMES)[number]>().toEqualTypeOf<keyof RpcQueries>()
  })

  it('resolve like loaded queries', async () => {
    const { call, calls } = scriptedCall({ getSink: { sink: 'ab'.repeat(32) } })
    const rpc = deferQueries(() =>
      Promise.resolve(createQueries({ call, network: () => 'simnet', sentIds: createSentIds() })),
    )
    expect(await rpc.getSink()).toEqual({ sink: 'ab'.repeat(32) })
    expect(calls).toHaveLength(1)
  })
})
