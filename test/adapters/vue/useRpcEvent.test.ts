// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { effectScope } from 'vue'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import { useRpcEvent } from '../../../src/adapters/vue/composables/useRpcEvent.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { withApp } from './with-app.js'

it('receives events of one type until its scope ends, across a reconnect', async () => {
  const node = createScriptedNode()
  const { app, result: rpc } = withApp(node, useRpc, { reconnect: { baseDelay: 0 } })
  const scores: bigint[] = []
  const scope = effectScope()
  const listen = () => useRpcEvent('sink-blue-score-changed', ({ data }) => void scores.push(data.sinkBlueScore))
  scope.run(() => app.runWithContext(listen))
  const notifyScore = (sinkBlueScore: bigint) =>
    node.notify({ type: 'sink-blue-score-changed', data: { sinkBlueScore } })

  await rpc.connect()
  notifyScore(1n)
  node.drop()
  await expect.poll(() => rpc.isConnected.value).toBe(true)
  notifyScore(2n)
  scope.stop()
  notifyScore(3n)
  expect(scores).toEqual([1n, 2n])
})
