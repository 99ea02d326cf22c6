import { describe, expect, expectTypeOf, it } from 'vitest'
import type { RpcEventType } from '../../src/model/event.js'
import type { Header } from '../../src/model/block.js'
import type { Transaction } from '../../src/model/transaction.js'
import type { UtxoEntry } from '../../src/model/utxo.js'
import {
  isRpcMethod,
  methodEntry,
  methodsByOp,
  notificationOp,
  notificationsByKey,
  unservedByOp,
} from '../../src/node/messages/lookup.js'
import { methods } from '../../src/node/messages/lookup.js'
import { notifications } from '../../src/node/messages/notifications.js'
import type {
  BlockDagInfo,
  NodeNotification,
  NotificationScope,
  RpcEventMap,
  RpcHeader,
  RpcMethod,
  RpcRawHeader,
  RpcRequest,
  RpcResponse,
  RpcTransaction,
} from '../../src/node/messages/records.js'

describe('the table of messages', () => {
  it('contains every operation that a node serves, each with a unique code', () => {
    const ops = Object.values(methods).map(({ op }) => op)
    const expected = [3, 4, ...Array.from({ length: 44 }, (_, at) => 110 + at)]
    expect(ops.sort((a, b) => a - b)).toEqual(expected)
    expect(methodsByOp().get(126)).toBe('getBlock')
  })

  it('has the node version that added each newer method', () => {
    const since = Object.fromEntries(
      (Object.keys(methods) as RpcMethod[]).flatMap((method) => {
        const entry = methodEntry(method)
        return entry.since === undefined ? [] : [[method, entry.since]]
      }),
    )
    expect(since).toEqual({
      getUtxoReturnAddress: '0.16.1',
      getVirtualChainFromBlockV2: '1.1.0',
      getBlockRewardInfo: '2.0.0',
      getSeqCommitLaneProof: '2.0.0',
    })
  })

  it('has nine notifications, found by name, by variant and by code', () => {
    expect(Object.keys(notifications)).toHaveLength(9)
    const byKey = notificationsByKey()
    for (const key of ['UtxosChanged', 4, 64]) expect(byKey.get(key)).toBe('utxos-changed')
    expect(notificationOp('utxos-changed')).toBe('utxosChangedNotification')
  })

  it('lists the operations that no node serves, including notifications', () => {
    const unserved = unservedByOp()
    expect([...unserved.keys()].sort((a, b) => a - b)).toEqual([
      0, 1, 2, 10, 11, 12, 13, 14, 15, 16, 17, 18, 60, 61, 62, 63, 64, 65, 66, 67, 68,
    ])
    expect(unserved.get(60)).toBe('blockAddedNotification')
  })

  it('does not recognize inherited property names as methods', () => {
    expect(isRpcMethod('getBlock')).toBe(true)
    expect(isRpcMethod('constructor')).toBe(false)
    expect(isRpcMethod('GetBlock')).toBe(false)
  })
})

describe('the types that derive from the table', () => {
  it('equal the model’s types', () => {
    expectTypeOf<RpcResponse<'getUtxosByAddresses'>['entries'][number]>().toEqualTypeOf<UtxoEntry>()
    expectTypeOf<RpcTransaction>().toExtend<Transaction>()
    expectTypeOf<Transaction>().toExtend<RpcTransaction>()
    expectTypeOf<RpcHeader>().toExtend<Header>()
    expectTypeOf<Header>().toEqualTypeOf<RpcRawHeader>()
  })

  it('represent u64 as bigint and absent options as undefined', () => {
    expectTypeOf<BlockDagInfo['virtualDaaScore']>().toEqualTypeOf<bigint>()
    expectTypeOf<RpcRequest<'getBlocks'>['lowHash']>().toEqualTypeOf<string | undefined>()
    expectTypeOf<RpcResponse<'submitBlock'>['report']>().toEqualTypeOf<
      | { readonly type: 'success' }
      | { readonly type: 'reject'; readonly reason: 'blockInvalid' | 'isInIBD' | 'routeIsFull' }
    >()
  })

  it('discriminate scopes and notifications by type', () => {
    expectTypeOf<Extract<NotificationScope, { type: 'utxos-changed' }>>().toEqualTypeOf<{
      readonly type: 'utxos-changed'
      readonly addresses: readonly string[]
    }>()
    expectTypeOf<Extract<NodeNotification, { type: 'sink-blue-score-changed' }>['data']>().toEqualTypeOf<{
      readonly sinkBlueScore: bigint
    }>()
    expectTypeOf<keyof RpcEventMap>().toEqualTypeOf<RpcEventType>()
  })
})
