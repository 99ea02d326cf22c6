import { of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { GREETING } from './chain-node.js'
import { createEngineScene, listen } from './scene.js'

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

describe('server$', () => {
  it('is all null before a node has said anything', async () => {
    const { engine } = createEngineScene()
    expect(listen(engine.server$).heard).toEqual([
      { serverVersion: null, networkId: null, isSynced: false, hasUtxoIndex: null, health: 'unknown', remedy: null },
    ])
    await engine.dispose()
  })

  it('gives a late subscriber what was said last, also while there is no connection', async () => {
    const { engine } = createEngineScene()
    await engine.connection.connect()
    await engine.connection.disconnect()
    expect(listen(engine.server$).heard).toMatchObject([{ serverVersion: '2.1.0', health: 'healthy' }])
    await engine.dispose()
  })

  it('goes on with the words of the next node, after those of the one before', async () => {
    const { engine, node } = createEngineScene()
    const { heard } = listen(engine.server$)
    await engine.connection.connect()
    node.answer('getServerInfo', () => of({ ...GREETING, serverVersion: '2.2.0', hasUtxoIndex: false }))
    node.drop()
    await expect.poll(() => heard.map(({ serverVersion }) => serverVersion)).toEqual([null, '2.1.0', '2.2.0'])
    expect(heard.at(-1)).toMatchObject({
      health: 'no-utxo-index',
      remedy: 'Run the node with --utxoindex, or give the url of one that does.',
    })
    await engine.dispose()
  })

  it('emits only changes: nothing while no more than the DAA score goes on', async () => {
    const { engine, node } = createEngineScene()
    engine.virtualDaaScore$.subscribe()
    await engine.connection.connect()
    const { heard } = listen(engine.server$)
    for (let n = 1n; n <= 5n; n++) node.notify(score(n))
    expect(heard).toHaveLength(1)
    await engine.dispose()
  })

  it('costs nothing: watching it neither dials nor asks', async () => {
    const { engine, node } = createEngineScene()
    listen(engine.server$)
    expect(node.dialled).toEqual([])
    await engine.connection.connect()
    const asked = node.calls.length
    listen(engine.server$)
    expect(node.calls).toHaveLength(asked)
    await engine.dispose()
  })

  it('never errors, and completes with the engine', async () => {
    const { engine, node } = createEngineScene()
    const { end } = listen(engine.server$)
    await engine.connection.connect()
    node.drop()
    expect(end).toEqual([])
    await engine.dispose()
    expect(end).toEqual(['complete'])
  })
})
