import { readFileSync } from 'node:fs'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { describeRecords } from '../../scripts/wire-records.mjs'
import type {
  block,
  header,
  rawBlock,
  rawHeader,
  acceptedByChainBlock,
  verbosity,
} from '../../src/node/messages/blocks.js'
import type { methods } from '../../src/node/messages/lookup.js'
import type { peerInfo } from '../../src/node/messages/node-methods.js'
import type { notifications } from '../../src/node/messages/notifications.js'
import type {
  ConnectedPeerInfo,
  DataVerbosity,
  NotificationMap,
  RpcAcceptingBlock,
  RpcBlock,
  RpcHeader,
  RpcMempoolEntry,
  RpcRawBlock,
  RpcRawHeader,
  RpcRequestMap,
  RpcResponseMap,
  RpcTransaction,
} from '../../src/node/messages/records.js'
import type { ValueOf } from '../../src/node/messages/shape.js'
import type { mempoolEntry, transaction } from '../../src/node/messages/transactions.js'

type Table = typeof methods

describe('records of the node', () => {
  it('are written as the table of messages describes them', async () => {
    expect(readFileSync('src/node/messages/wire-records.ts', 'utf8')).toBe(await describeRecords())
  })

  it('are the types that both codecs read and write', () => {
    expectTypeOf<RpcRequestMap>().toEqualTypeOf<{ readonly [M in keyof Table]: ValueOf<Table[M]['request']> }>()
    expectTypeOf<RpcResponseMap>().toEqualTypeOf<{ readonly [M in keyof Table]: ValueOf<Table[M]['response']> }>()
    expectTypeOf<NotificationMap>().toEqualTypeOf<{
      readonly [T in keyof typeof notifications]: ValueOf<(typeof notifications)[T]['data']>
    }>()
    expectTypeOf<RpcHeader>().toEqualTypeOf<ValueOf<typeof header>>()
    expectTypeOf<RpcRawHeader>().toEqualTypeOf<ValueOf<typeof rawHeader>>()
    expectTypeOf<RpcBlock>().toEqualTypeOf<ValueOf<typeof block>>()
    expectTypeOf<RpcRawBlock>().toEqualTypeOf<ValueOf<typeof rawBlock>>()
    expectTypeOf<RpcTransaction>().toEqualTypeOf<ValueOf<typeof transaction>>()
    expectTypeOf<RpcMempoolEntry>().toEqualTypeOf<ValueOf<typeof mempoolEntry>>()
    expectTypeOf<RpcAcceptingBlock>().toEqualTypeOf<ValueOf<typeof acceptedByChainBlock>>()
    expectTypeOf<ConnectedPeerInfo>().toEqualTypeOf<ValueOf<typeof peerInfo>>()
    expectTypeOf<DataVerbosity>().toEqualTypeOf<ValueOf<typeof verbosity>>()
  })
})
