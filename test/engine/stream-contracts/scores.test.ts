import { Subject, take, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createHarness } from './chain-node.js'
import { record } from './engine-harness.js'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { eachTest } from '../../lifetimes.js'

const harness = eachTest(createHarness)

const SCORES = [
  ['virtualDaaScore$', 'virtual-daa-score-changed', 0n], // from getServerInfo
  ['sinkBlueScore$', 'sink-blue-score-changed', 0n], // from getSinkBlueScore
] as const

describe.each(SCORES)('%s', (name, type, first) => {
  const score$ = (): Observable<bigint> => harness.engine[name]

  it('emits the current score, then each change, without duplicates', async () => {
    const { received } = record(score$())
    await harness.settle()
    harness.node.addBlocks('a')
    harness.node.addBlocks('x', 1) // the score stays the same
    harness.node.addBlocks('y')
    expect(received).toEqual([first, 1n, 2n])
  })

  it('is shared: replays the latest score to a late subscriber, without a call', async () => {
    record(score$())
    await harness.settle()
    harness.node.addBlocks('a')
    const callsBefore = harness.node.calls.length
    expect(record(score$()).received).toEqual([1n])
    await harness.settle()
    expect(harness.node.calls.length).toBe(callsBefore)
    expect(harness.node.count('subscribe', type)).toBe(1)
  })

  it('continues after an outage with the score of the new connection', async () => {
    const { received } = record(score$())
    await harness.settle()
    harness.node.drop()
    await expect.poll(() => harness.node.count('subscribe', type)).toBe(2)
    harness.node.addBlocks('a')
    await expect.poll(() => received).toEqual([first, 1n])
  })

  it('restarts with another network: replays no score of the previous one', async () => {
    const { received } = record(score$())
    await harness.settle()
    harness.node.addBlocks('a')
    await expect.poll(() => received).toEqual([first, 1n])
    const info$ = new Subject<RpcResponse<'getServerInfo'>>()
    harness.node.respond('getServerInfo', () => info$.pipe(take(1))) // the handshake waits
    const switching = harness.engine.switchNetwork('devnet')
    expect(record(score$()).received).toEqual([])
    harness.node.respond('getServerInfo', () => fixtures.serverInfo({ networkId: 'devnet', virtualDaaScore: 1n }))
    info$.next(fixtures.serverInfo({ networkId: 'devnet', virtualDaaScore: 1n }))
    await switching
    await expect.poll(() => received).toHaveLength(3)
    expect(received).toEqual([first, 1n, 1n])
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = record(score$())
    harness.node.drop()
    await harness.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('unsubscribes at the node after the last subscriber', async () => {
    const { unsubscribe } = record(score$())
    await harness.settle()
    unsubscribe()
    await expect.poll(() => harness.node.count('unsubscribe', type)).toBe(1)
  })
})
