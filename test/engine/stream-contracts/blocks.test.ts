import { of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SERVER_INFO, createHarness, hash, letter, type Harness } from './chain-node.js'

let harness: Harness
beforeEach(async () => {
  harness = await createHarness()
})
afterEach(() => harness.engine.dispose())

/** Subscribes and records the blocks by their letters. */
function record(): { received: string[]; end: string[]; unsubscribe: () => void } {
  const received: string[] = []
  const end: string[] = []
  const subscription = harness.engine.blocks$().subscribe({
    next: (block) => received.push(letter(block.hash)),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  return { received, end, unsubscribe: () => subscription.unsubscribe() }
}

describe('blocks$', () => {
  it('emits each block once, in the order of the node, also those added while the start block is fetched', async () => {
    const { received } = record()
    harness.node.addBlocks('ab')
    await harness.settle()
    harness.node.addBlocks('c')
    harness.node.addBlocks('xy', 1)
    harness.node.notify({ type: 'block-added', data: { block: harness.node.block('x') } })
    await harness.settle()
    expect(received).toEqual(['a', 'b', 'c', 'x', 'y'])
  })

  it('emits time, blue score and transactions', async () => {
    const blocks: unknown[] = []
    harness.engine.blocks$().subscribe((block) => blocks.push(block))
    await harness.settle()
    harness.node.addBlocks('a')
    expect(blocks).toEqual([{ hash: hash('a'), timestamp: 5, blueScore: 1n, transactions: [] }])
  })

  it('is shared: a second subscriber makes no calls and gets no replay', async () => {
    const first = record()
    await harness.settle()
    harness.node.addBlocks('a')
    const callsBefore = harness.node.calls.length
    const second = record()
    harness.node.addBlocks('b')
    await harness.settle()
    expect(harness.node.calls.length).toBe(callsBefore)
    expect([first.received, second.received]).toEqual([['a', 'b'], ['b']])
  })

  it('backfills blocks of an outage before later blocks', async () => {
    const { received } = record()
    await harness.settle()
    harness.node.drop() // before the first block: the start block is known
    harness.node.addBlocks('ab')
    await expect.poll(() => received).toEqual(['a', 'b'])
    harness.node.drop()
    harness.node.addBlocks('c')
    await expect.poll(() => received).toEqual(['a', 'b', 'c'])
    harness.node.addBlocks('d')
    expect(received).toEqual(['a', 'b', 'c', 'd'])
  })

  it('backfills the block of a notification that could not be decoded', async () => {
    const { received } = record()
    await harness.settle()
    harness.node.addBlocks('a')
    harness.node.sockets[0]!.corrupt('block-added')
    harness.node.addBlocks('b')
    await expect.poll(() => received).toEqual(['a', 'b'])
    expect(harness.node.calls.filter(({ method }) => method === 'getBlocks')).toHaveLength(1)
  })

  it('restarts on another network, without a gap', async () => {
    const gaps: unknown[] = []
    harness.engine.gaps$.subscribe((gap) => gaps.push(gap))
    const { received } = record()
    await harness.settle()
    harness.node.addBlocks('a')
    harness.node.respond('getServerInfo', () => of({ ...SERVER_INFO, networkId: 'devnet' }))
    await harness.engine.switchNetwork('devnet')
    await harness.settle()
    harness.node.addBlocks('b')
    expect([received, gaps]).toEqual([['a', 'b'], []])
    expect(harness.node.calls.some(({ method }) => method === 'getBlocks')).toBe(false)
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = record()
    await harness.settle()
    harness.node.drop()
    await harness.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('unsubscribes at the node after the last subscriber', async () => {
    const { unsubscribe } = record()
    await harness.settle()
    unsubscribe()
    await expect.poll(() => harness.node.count('unsubscribe', 'block-added')).toBe(1)
  })
})
