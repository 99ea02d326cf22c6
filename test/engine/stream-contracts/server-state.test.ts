import { describe, expect, it } from 'vitest'
import type { NodeNotification } from '../../../src/node/messages/records.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createEngineHarness, record } from './engine-harness.js'

const score = (virtualDaaScore: bigint): NodeNotification => ({
  type: 'virtual-daa-score-changed',
  data: { virtualDaaScore },
})

describe('server$', () => {
  it('has null values before the first connection', async () => {
    const { engine } = createEngineHarness()
    expect(record(engine.server$).received).toEqual([
      { serverVersion: null, networkId: null, isSynced: false, hasUtxoIndex: null, health: 'unknown', remedy: null },
    ])
  })

  it('replays the last state to a late subscriber, also while disconnected', async () => {
    const { engine } = createEngineHarness()
    await engine.connection.connect()
    await engine.connection.disconnect()
    expect(record(engine.server$).received).toMatchObject([{ serverVersion: '2.1.0', health: 'healthy' }])
  })

  it('emits the state of the next node after that of the previous one', async () => {
    const { engine, node } = createEngineHarness()
    const { received } = record(engine.server$)
    await engine.connection.connect()
    node.respond('getServerInfo', () => fixtures.serverInfo({ serverVersion: '2.2.0', hasUtxoIndex: false }))
    node.drop()
    await expect.poll(() => received.map(({ serverVersion }) => serverVersion)).toEqual([null, '2.1.0', '2.2.0'])
    expect(received.at(-1)).toMatchObject({
      health: 'no-utxo-index',
      remedy: 'Run the node with --utxoindex, or set url to such a node.',
    })
  })

  it('emits only changes: nothing where only the DAA score changes', async () => {
    const { engine, node } = createEngineHarness()
    engine.virtualDaaScore$.subscribe()
    await engine.connection.connect()
    const { received } = record(engine.server$)
    for (let n = 1n; n <= 5n; n++) node.notify(score(n))
    expect(received).toHaveLength(1)
  })

  it('neither connects nor makes calls on subscription', async () => {
    const { engine, node } = createEngineHarness()
    record(engine.server$)
    expect(node.dialled).toEqual([])
    await engine.connection.connect()
    const callsBefore = node.calls.length
    record(engine.server$)
    expect(node.calls).toHaveLength(callsBefore)
  })

  it('never errors, and completes with the engine', async () => {
    const { engine, node } = createEngineHarness()
    const { end } = record(engine.server$)
    await engine.connection.connect()
    node.drop()
    expect(end).toEqual([])
    await engine.dispose()
    expect(end).toEqual(['complete'])
  })
})
