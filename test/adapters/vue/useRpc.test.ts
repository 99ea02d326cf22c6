// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { effectScope, nextTick } from 'vue'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { createNode, createUnreachableNode, withApp } from './with-app.js'

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

describe('useRpc', () => {
  it('shows the state of the connection and the node', async () => {
    const { result: rpc } = withApp(createScriptedNode(), useRpc, { url: 'ws://node:17510' })
    expect(rpc.connectionState.value).toBe('disconnected')
    await rpc.connect()
    expect(rpc.connectionState.value).toBe('connected')
    expect(rpc.isConnected.value).toBe(true)
    expect(rpc.url.value).toMatch(/^ws:\/\/node:17510/)
    expect([rpc.serverVersion.value, rpc.networkId.value, rpc.isSynced.value]).toEqual(['2.1.0', 'simnet', true])
    await rpc.disconnect()
    expect(rpc.connectionState.value).toBe('disconnected')
  })

  it('shows the connection error, and rejects with it', async () => {
    const { result: rpc } = withApp(createUnreachableNode(), useRpc, { reconnect: false })
    await expect(rpc.connect()).rejects.toThrow(ChainRpcError)
    expect(rpc.connectionState.value).toBe('error')
    expect(rpc.error.value).toBeInstanceOf(ChainRpcError)
  })

  it('shares one connection per app', async () => {
    const { app, result: rpc } = withApp(createScriptedNode(), useRpc)
    await rpc.connect()
    expect(app.runWithContext(useRpc).isConnected.value).toBe(true)
  })

  it('queries the node with destructured methods', async () => {
    const node = createScriptedNode({ responses: { getSink: () => ({ sink: 'ab'.repeat(32) }) } })
    const { result } = withApp(node, useRpc)
    const { connect, getSink } = result
    await connect()
    await expect(getSink()).resolves.toEqual({ sink: 'ab'.repeat(32) })
  })

  it('rejects invalid arguments before sending a request', async () => {
    const node = createScriptedNode()
    const { result: rpc } = withApp(node, useRpc)
    await rpc.connect()
    const sent = node.calls.length
    await expect(rpc.getBlock('63 characters')).rejects.toMatchObject({ code: 'invalid-argument', argument: 'hash' })
    expect(node.calls).toHaveLength(sent)
  })

  it('subscribes to the DAA score only once it is read', async () => {
    const node = createNode()
    const { result: rpc } = withApp(node, useRpc)
    await rpc.connect()
    const subscriptions = () => node.calls.filter(({ method }) => method === 'subscribe').map(({ request }) => request)
    expect(subscriptions()).toEqual([])
    expect(rpc.virtualDaaScore.value).toBe(1_000n)
    expect(subscriptions()).toEqual([{ scope: { type: 'virtual-daa-score-changed' } }])
    node.notify(score(1_001n))
    await expect.poll(() => rpc.virtualDaaScore.value).toBe(1_001n) // with the next frame
  })

  it('calls a handler once per event, until it is removed or its component is unmounted', async () => {
    const node = createScriptedNode()
    const { result: rpc, unmount } = withApp(node, useRpc)
    const seen: bigint[] = []
    const unsubscribe = rpc.on('virtual-daa-score-changed', ({ data }) => void seen.push(data.virtualDaaScore))
    rpc.on('virtual-daa-score-changed', ({ data }) => void seen.push(-data.virtualDaaScore))
    await rpc.connect()
    node.notify(score(1n))
    unsubscribe()
    node.notify(score(2n))
    unmount()
    expect(seen).toEqual([1n, -1n, -2n])
  })

  it('logs received events, and clears the log', async () => {
    const node = createScriptedNode()
    const { result: rpc } = withApp(node, useRpc)
    await rpc.connect()
    await expect.poll(() => rpc.eventLog.value.map(({ type }) => type)).toEqual(['connect'])
    rpc.clearEventLog()
    await nextTick()
    expect(rpc.eventLog.value).toEqual([])
  })
})

describe('the subscription methods', () => {
  const requestsOf = (node: ReturnType<typeof createScriptedNode>, command: 'subscribe' | 'unsubscribe') =>
    node.calls.filter(({ method }) => method === command).map(({ request }) => request)
  const BLOCKS = { scope: { type: 'block-added' } }

  it('are counted: the node receives the first subscribe and the last unsubscribe', async () => {
    const node = createScriptedNode()
    const { result: rpc } = withApp(node, useRpc)
    await rpc.connect()
    await Promise.all([rpc.subscribeBlockAdded(), rpc.subscribeBlockAdded()])
    expect(requestsOf(node, 'subscribe')).toEqual([BLOCKS])
    await rpc.unsubscribeBlockAdded()
    await rpc.unsubscribeBlockAdded()
    await expect.poll(() => requestsOf(node, 'unsubscribe')).toEqual([BLOCKS])
  })

  it('are placed on connect if called before', async () => {
    const node = createScriptedNode()
    const { result: rpc } = withApp(node, useRpc)
    await rpc.subscribeVirtualChainChanged(true)
    await rpc.connect()
    const scope = { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true }
    expect(requestsOf(node, 'subscribe')).toEqual([{ scope }])
  })

  it('reject with the refusal of the node', async () => {
    const node = createScriptedNode({ responses: { subscribe: () => new ChainError('Too many subscriptions') } })
    const { result: rpc } = withApp(node, useRpc)
    await rpc.connect()
    await expect(rpc.subscribeDaaScore()).rejects.toMatchObject({ cause: { message: 'Too many subscriptions' } })
  })

  it('end with the scope that used them', async () => {
    const node = createScriptedNode()
    const { app, result: rpc } = withApp(node, useRpc)
    await rpc.connect()
    const scope = effectScope()
    await scope.run(() => app.runWithContext(useRpc))!.subscribeBlockAdded()
    scope.stop()
    await expect.poll(() => requestsOf(node, 'unsubscribe')).toEqual([BLOCKS])
  })
})
