// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { shallowRef } from 'vue'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useRpcQuery } from '../../../src/adapters/vue/composables/useRpcQuery.js'
import { ChainError } from '../../../src/errors/chain-error.js'
import { createScriptedNode } from './scripted-node.js'
import { withApp } from './with-app.js'

const sink = (letter: string) => ({ sink: letter.repeat(64) })

it('fetches when read and connected, and shares the result by key', async () => {
  const node = createScriptedNode({ getSink: () => sink('a') })
  const useSinkQuery = () => useRpcQuery('sink', (rpc) => rpc.getSink())
  const { result, unmount } = withApp(node, () => ({ rpc: useRpc(), first: useSinkQuery(), second: useSinkQuery() }))
  await result.rpc.connect()
  expect(node.calls.some(({ method }) => method === 'getSink')).toBe(false)
  expect([result.first.status.value, result.second.isLoading.value]).toEqual(['loading', true])
  await expect.poll(() => result.first.data.value).toEqual(sink('a'))
  expect(result.second.data.value).toEqual(sink('a'))
  expect(node.calls.filter(({ method }) => method === 'getSink')).toHaveLength(1)
  unmount()
})

it('fetches again when the key changes and on refresh, and not while disabled', async () => {
  const node = createScriptedNode({ getCurrentBlockColor: ({ hash }) => ({ blue: hash.startsWith('a') }) })
  const hash = shallowRef('a'.repeat(64))
  const enabled = shallowRef(false)
  const { result, unmount } = withApp(node, () => ({
    rpc: useRpc(),
    ...useRpcQuery(hash, (rpc) => rpc.getCurrentBlockColor(hash.value), { enabled }),
  }))
  await result.rpc.connect()
  expect([result.status.value, result.data.value]).toEqual(['idle', undefined])
  enabled.value = true
  await expect.poll(() => result.data.value).toEqual({ blue: true })
  hash.value = 'b'.repeat(64)
  await expect.poll(() => result.data.value).toEqual({ blue: false })
  node.script.getCurrentBlockColor = () => new ChainError('There is no such block')
  result.refresh()
  await expect.poll(() => result.error.value).toMatchObject({ cause: { message: 'There is no such block' } })
  expect(result.data.value).toEqual({ blue: false })
  unmount()
})

it('aborts the signal of a query whose result is no longer wanted', async () => {
  const node = createScriptedNode() // never responds
  const key = shallowRef('a')
  const signals: AbortSignal[] = []
  const { result, unmount } = withApp(node, () => ({
    rpc: useRpc(),
    ...useRpcQuery(key, (rpc, options) => {
      if (options.signal !== undefined) signals.push(options.signal)
      return rpc.getSink(options)
    }),
  }))
  await result.rpc.connect()
  expect(result.status.value).toBe('loading')
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([false])
  key.value = 'b'
  await expect.poll(() => signals.map(({ aborted }) => aborted)).toEqual([true, false])
  unmount()
  expect(signals.map(({ aborted }) => aborted)).toEqual([true, true])
})
