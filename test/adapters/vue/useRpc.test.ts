// @vitest-environment happy-dom
import { describe, expect, it } from 'vitest'
import { effectScope, nextTick } from 'vue'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { absentNode, createScriptedNode } from './scripted-node.js'
import { withApp } from './with-app.js'

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

describe('useRpc', () => {
  it('shows the connection and the node at its other end', async () => {
    const { result: rpc, unmount } = withApp(createScriptedNode(), useRpc, { url: 'ws://node:17510' })
    expect(rpc.connectionState.value).toBe('disconnected')
    await rpc.connect()
    expect(rpc.connectionState.value).toBe('connected')
    expect(rpc.isConnected.value).toBe(true)
    expect(rpc.url.value).toMatch(/^ws:\/\/node:17510/)
    expect([rpc.serverVersion.value, rpc.networkId.value, rpc.isSynced.value]).toEqual(['2.1.0', 'simnet', true])
    await rpc.disconnect()
    expect(rpc.connectionState.value).toBe('disconnected')
    unmount()
  })

  it('says why it could not connect, and rejects with the same', async () => {
    const { result: rpc, unmount } = withApp({ port: absentNode }, useRpc, { reconnect: false })
    await expect(rpc.connect()).rejects.toThrow(ChainRpcError)
    expect(rpc.connectionState.value).toBe('error')
    expect(rpc.error.value).toBeInstanceOf(ChainRpcError)
    unmount()
  })

  it('belongs to the app: every call sees the same connection', async () => {
    const { app, result: rpc, unmount } = withApp(createScriptedNode(), useRpc)
    await rpc.connect()
    expect(app.runWithContext(useRpc).isConnected.value).toBe(true)
    unmount()
  })

  it('asks the node, typed and destructured', async () => {
    const node = createScriptedNode({ getSink: () => ({ sink: 'ab'.repeat(32) }) })
    const { result, unmount } = withApp(node, useRpc)
    const { connect, getSink } = result
    await connect()
    await expect(getSink()).resolves.toEqual({ sink: 'ab'.repeat(32) })
    unmount()
  })

  it('refuses what cannot be meant before anything is sent', async () => {
    const node = createScriptedNode()
    const { result: rpc, unmount } = withApp(node, useRpc)
    await rpc.connect()
    const sent = node.calls.length
    await expect(rpc.getBlock('63 characters')).rejects.toMatchObject({ code: 'invalid-argument', argument: 'hash' })
    expect(node.calls).toHaveLength(sent)
    unmount()
  })

  it('holds no subscription to the DAA score until it is read', async () => {
    const node = createScriptedNode()
    const { result: rpc, unmount } = withApp(node, useRpc)
    await rpc.connect()
    const subscriptions = () => node.calls.filter(({ method }) => method === 'subscribe').map(({ request }) => request)
    expect(subscriptions()).toEqual([])
    expect(rpc.virtualDaaScore.value).toBe(1_000n)
    expect(subscriptions()).toEqual([{ scope: { type: 'virtual-daa-score-changed' } }])
    node.notify(score(1_001n))
    await expect.poll(() => rpc.virtualDaaScore.value).toBe(1_001n) // with the next frame
    unmount()
  })

  it('lets a handler hear each event once, until it is let go or its component is unmounted', async () => {
    const node = createScriptedNode()
    const { result: rpc, unmount } = withApp(node, useRpc)
    const seen: bigint[] = []
    const leave = rpc.on('virtual-daa-score-changed', ({ data }) => void seen.push(data.virtualDaaScore))
    rpc.on('virtual-daa-score-changed', ({ data }) => void seen.push(-data.virtualDaaScore))
    await rpc.connect()
    node.notify(score(1n))
    leave()
    node.notify(score(2n))
    unmount()
    expect(seen).toEqual([1n, -1n, -2n])
  })

  it('keeps a log of what is heard, and clears it', async () => {
    const node = createScriptedNode()
    const { result: rpc, unmount } = withApp(node, useRpc)
    await rpc.connect()
    await expect.poll(() => rpc.eventLog.value.map(({ type }) => type)).toEqual(['connect'])
    rpc.clearEventLog()
    await nextTick()
    expect(rpc.eventLog.value).toEqual([])
    unmount()
  })
})

describe('the subscription verbs', () => {
  const asked = (node: ReturnType<typeof createScriptedNode>, verb: 'subscribe' | 'unsubscribe') =>
    node.calls.filter(({ method }) => method === verb).map(({ request }) => request)
  const BLOCKS = { scope: { type: 'block-added' } }

  it('count: the node hears of the first and, after the last, of the end', async () => {
    const node = createScriptedNode()
    const { result: rpc, unmount } = withApp(node, useRpc)
    await rpc.connect()
    await Promise.all([rpc.subscribeBlockAdded(), rpc.subscribeBlockAdded()])
    expect(asked(node, 'subscribe')).toEqual([BLOCKS])
    await rpc.unsubscribeBlockAdded()
    await rpc.unsubscribeBlockAdded()
    await expect.poll(() => asked(node, 'unsubscribe'), { timeout: 3_000 }).toEqual([BLOCKS])
    unmount()
  })

  it('are placed with the connection where there is none yet', async () => {
    const node = createScriptedNode()
    const { result: rpc, unmount } = withApp(node, useRpc)
    await rpc.subscribeVirtualChainChanged(true)
    await rpc.connect()
    const scope = { type: 'virtual-chain-changed', includeAcceptedTransactionIds: true }
    expect(asked(node, 'subscribe')).toEqual([{ scope }])
    unmount()
  })

  it('reject with the refusal of the node', async () => {
    const node = createScriptedNode({ subscribe: () => new ChainError('No more subscriptions today') })
    const { result: rpc, unmount } = withApp(node, useRpc)
    await rpc.connect()
    await expect(rpc.subscribeDaaScore()).rejects.toMatchObject({ cause: { message: 'No more subscriptions today' } })
    unmount()
  })

  it('end with the scope that used them', async () => {
    const node = createScriptedNode()
    const { app, result: rpc, unmount } = withApp(node, useRpc)
    await rpc.connect()
    const scope = effectScope()
    await scope.run(() => app.runWithContext(useRpc))!.subscribeBlockAdded()
    scope.stop()
    await expect.poll(() => asked(node, 'unsubscribe'), { timeout: 3_000 }).toEqual([BLOCKS])
    unmount()
  })
})
