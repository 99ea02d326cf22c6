import { map } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createHarness, hash, letter } from './chain-node.js'
import { record } from './engine-harness.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { eachTest } from '../../lifetimes.js'

const harness = eachTest(createHarness)

/** Records the letters of the blocks. */
const recordBlocks = () => record(harness.engine.blocks$().pipe(map((block) => letter(block.hash))))

describe('blocks$', () => {
  it('emits each block once, in the order of the node, also those added while the start block is fetched', async () => {
    const { received } = recordBlocks()
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
    expect(blocks).toEqual([{ hash: hash('a'), timestamp: 100, blueScore: 1n, transactions: [hash('a')] }])
  })

  it('is shared: a second subscriber makes no calls and gets no replay', async () => {
    const first = recordBlocks()
    await harness.settle()
    harness.node.addBlocks('a')
    const callsBefore = harness.node.calls.length
    const second = recordBlocks()
    harness.node.addBlocks('b')
    await harness.settle()
    expect(harness.node.calls.length).toBe(callsBefore)
    expect([first.received, second.received]).toEqual([['a', 'b'], ['b']])
  })

  it('backfills blocks of an outage before later blocks', async () => {
    const { received } = recordBlocks()
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
    const { received } = recordBlocks()
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
    const { received } = recordBlocks()
    await harness.settle()
    harness.node.addBlocks('a')
    harness.node.respond('getServerInfo', () => fixtures.serverInfo({ networkId: 'devnet' }))
    await harness.engine.switchNetwork('devnet')
    await harness.settle()
    harness.node.addBlocks('b')
    expect([received, gaps]).toEqual([['a', 'b'], []])
    expect(harness.node.calls.some(({ method }) => method === 'getBlocks')).toBe(false)
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = recordBlocks()
    await harness.settle()
    harness.node.drop()
    await harness.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('unsubscribes at the node after the last subscriber', async () => {
    const { unsubscribe } = recordBlocks()
    await harness.settle()
    unsubscribe()
    await expect.poll(() => harness.node.count('unsubscribe', 'block-added')).toBe(1)
  })
})
