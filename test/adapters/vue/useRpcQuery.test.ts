// @vitest-environment happy-dom
import { NEVER } from 'rxjs'
import { expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { useNetwork } from '../../../src/adapters/vue/composables/useNetwork.js'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useRpcQuery } from '../../../src/adapters/vue/composables/useRpcQuery.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { withApp } from './with-app.js'

const sink = (letter: string) => ({ sink: letter.repeat(64) })

it('fetches when read and connected, and shares the result by key', async () => {
  const node = createScriptedNode({ responses: { getSink: () => sink('a') } })
  const useSinkQuery = () => useRpcQuery({ queryKey: ['sink'], queryFn: ({ rpc, signal }) => rpc.getSink({ signal }) })
  const { result } = withApp(node, () => ({ rpc: useRpc(), first: useSinkQuery(), second: useSinkQuery() }))
  await result.rpc.connect()
  expect(node.calls.some(({ method }) => method === 'getSink')).toBe(false)
  expect([result.first.status.value, result.second.isFetching.value]).toEqual(['pending', true])
  await expect.poll(() => result.first.data.value).toEqual(sink('a'))
  expect(result.second.data.value).toEqual(sink('a'))
  expect(node.calls.filter(({ method }) => method === 'getSink')).toHaveLength(1)
})

it('fetches again when a ref in the key changes and on refetch, and not while disabled', async () => {
  const node = createScriptedNode({
    responses: { getCurrentBlockColor: ({ hash }) => ({ blue: hash.startsWith('a') }) },
  })
  const hash = shallowRef('a'.repeat(64))
  const enabled = shallowRef(false)
  const { result } = withApp(node, () => ({
    rpc: useRpc(),
    ...useRpcQuery({
      queryKey: ['color', hash],
      queryFn: ({ rpc }) => rpc.getCurrentBlockColor(hash.value),
      enabled,
    }),
  }))
  await result.rpc.connect()
  expect([result.status.value, result.isFetching.value]).toEqual(['pending', false])
  enabled.value = true
  await expect.poll(() => result.data.value).toEqual({ blue: true })
  hash.value = 'b'.repeat(64)
  await expect.poll(() => result.data.value).toEqual({ blue: false })
  node.respond('getCurrentBlockColor', () => new ChainError('There is no such block'))
  await result.refetch()
  expect(result.error.value).toMatchObject({ cause: { message: 'There is no such block' } })
  expect(result.data.value).toEqual({ blue: false })
})

it('fetches on each connect, and drops the result of another network', async () => {
  const node = createScriptedNode({ responses: { getSink: () => sink('a') } })
  const { result } = withApp(node, () => ({
    rpc: useRpc(),
    network: useNetwork(),
    ...useRpcQuery({ queryKey: ['sink'], queryFn: ({ rpc }) => rpc.getSink(), select: (found) => found.sink[0] }),
  }))
  const count = () => node.calls.filter(({ method }) => method === 'getSink').length
  expect([result.data.value, result.isFetching.value]).toEqual([undefined, false])
  await result.rpc.connect()
  await expect.poll(() => result.data.value).toBe('a')
  node.respond('getSink', () => sink('b'))
  await result.rpc.reconnect()
  await expect.poll(() => result.data.value).toBe('b')
  expect(count()).toBeGreaterThanOrEqual(2)
  await result.rpc.disconnect()
  expect(result.data.value).toBe('b')
  await result.network.switchNetwork('testnet-10')
  expect([result.status.value, result.data.value]).toEqual(['pending', undefined])
})

it('aborts the signal of its function with its component', async () => {
  const node = createScriptedNode({ responses: { getSink: () => NEVER } })
  const signals: AbortSignal[] = []
  const { result, unmount } = withApp(node, () => ({
    rpc: useRpc(),
    ...useRpcQuery({
      queryKey: ['sink'],
      queryFn: ({ rpc, signal }) => {
        signals.push(signal)
        return rpc.getSink({ signal })
      },
    }),
  }))
  expect(result.isFetching.value).toBe(false)
  await result.rpc.connect()
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([false])
  unmount()
  expect(signals[0]?.aborted).toBe(true)
})
