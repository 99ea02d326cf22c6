import { asapScheduler, config } from 'rxjs'
import { afterEach, describe, expect, it } from 'vitest'
import { eachTest } from '../../lifetimes.js'
import { createHarness, letter } from './chain-node.js'

const harness = eachTest(createHarness)
afterEach(() => {
  config.onUnhandledError = null
})

describe('events$', () => {
  it('emits each notification to every subscriber once, as one event object with its arrival time', async () => {
    const first: unknown[] = []
    const second: unknown[] = []
    harness.engine.events$('sink-blue-score-changed').subscribe((event) => first.push(event))
    harness.engine.events$('sink-blue-score-changed').subscribe((event) => second.push(event))
    await harness.settle()
    harness.node.addBlocks('a')
    expect(first).toEqual([
      { type: 'sink-blue-score-changed', data: { sinkBlueScore: 1n }, timestamp: expect.any(Number) as number },
    ])
    expect(second[0]).toBe(first[0])
    expect(harness.node.count('subscribe', 'sink-blue-score-changed')).toBe(1)
  })

  it('throws at once for an unknown event type', () => {
    const subscribeToUnknown = (): unknown => harness.engine.events$('block_added' as 'block-added')
    expect(subscribeToUnknown).toThrow(
      expect.objectContaining({
        message: 'There is no event "block_added"',
        argument: 'type',
        code: 'invalid-argument',
        hint:
          'Set type to one of connect, disconnect, utxos-changed, virtual-chain-changed, block-added, finality-conflict, ' +
          'finality-conflict-resolved, sink-blue-score-changed, virtual-daa-score-changed, ' +
          'pruning-point-utxo-set-override, new-block-template.',
      }),
    )
  })

  it('replays nothing, and keeps the order of the node within a type', async () => {
    const early: string[] = []
    const late: string[] = []
    harness.engine.events$('block-added').subscribe(({ data }) => early.push(letter(data.block.header.hash)))
    await harness.settle()
    harness.node.addBlocks('ab')
    harness.engine.events$('block-added').subscribe(({ data }) => late.push(letter(data.block.header.hash)))
    harness.node.addBlocks('c')
    expect([early, late]).toEqual([['a', 'b', 'c'], ['c']])
  })

  it('continues after an outage without backfill', async () => {
    const received: string[] = []
    harness.engine.events$('block-added').subscribe(({ data }) => received.push(letter(data.block.header.hash)))
    await harness.settle()
    harness.node.drop()
    harness.node.addBlocks('a')
    await expect.poll(() => harness.node.count('subscribe', 'block-added')).toBe(2)
    harness.node.addBlocks('b')
    expect(received).toEqual(['b'])
  })

  it('emits to other subscribers where one throws', async () => {
    const thrown: unknown[] = []
    config.onUnhandledError = (error) => thrown.push(error)
    const received: string[] = []
    harness.engine.events$('block-added').subscribe(() => {
      throw new Error('a subscriber of the app')
    })
    harness.engine.events$('block-added').subscribe(({ data }) => received.push(letter(data.block.header.hash)))
    await harness.settle()
    harness.node.addBlocks('ab')
    await new Promise((resolve) => asapScheduler.schedule(resolve))
    await harness.settle()
    expect(received).toEqual(['a', 'b'])
    expect(thrown).toEqual([new Error('a subscriber of the app'), new Error('a subscriber of the app')])
  })

  it('emits connection events without a subscription at the node', async () => {
    const received: string[] = []
    harness.engine.events$('connect').subscribe(({ data }) => received.push(`connect ${data.url}`))
    harness.engine.events$('disconnect').subscribe(({ data }) => received.push(`disconnect ${data.url}`))
    const before = harness.node.count('subscribe', 'block-added')
    harness.node.drop()
    await expect.poll(() => received).toEqual(['disconnect ws://127.0.0.1:17510', 'connect ws://127.0.0.1:17510'])
    expect(harness.node.count('subscribe', 'block-added')).toBe(before)
  })

  it('completes with the engine, and never errors', async () => {
    const ends: string[] = []
    for (const type of ['connect', 'block-added', 'utxos-changed'] as const) {
      harness.engine.events$(type).subscribe({
        error: () => ends.push('error'),
        complete: () => ends.push(type),
      })
    }
    harness.node.drop()
    await harness.engine.dispose()
    expect(ends).toEqual(['connect', 'block-added', 'utxos-changed'])
  })

  it('unsubscribes at the node one second after the last subscriber', async () => {
    const subscriptions = [1, 2].map(() => harness.engine.events$('new-block-template').subscribe())
    await harness.settle()
    const unsubscribedAt = performance.now()
    for (const subscription of subscriptions) subscription.unsubscribe()
    expect(harness.node.count('unsubscribe', 'new-block-template')).toBe(0)
    await expect.poll(() => harness.node.count('unsubscribe', 'new-block-template')).toBe(1)
    expect(performance.now() - unsubscribedAt).toBeGreaterThan(950) // a timer may be some ms early
  })
})
