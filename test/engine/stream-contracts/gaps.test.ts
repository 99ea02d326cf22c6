import { throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { eachTest } from '../../lifetimes.js'
import { createHarness, hash, letter } from './chain-node.js'
import { record } from './engine-harness.js'

const harness = eachTest(createHarness)

/** Records gaps; `summary` shows stream, start and end. */
function recordGaps() {
  const { received: gaps, end } = record(harness.engine.gaps$)
  const name = (block: string | null): string => (block === null ? '?' : letter(block))
  return { gaps, end, summary: () => gaps.map(({ stream, from, to }) => `${stream} ${name(from)}..${name(to)}`) }
}

/** Drops the connection; the chain grows and the node prunes its history. */
const disconnectAndPrune = (letters = 'bc'): void => {
  harness.node.drop()
  harness.node.addBlocks(letters)
  harness.node.pruneHistory()
}

describe('gaps$', () => {
  it('reports start, end and cause of a gap in acceptance before the events after it', async () => {
    const { gaps, summary } = recordGaps()
    const order: string[] = []
    harness.engine.gaps$.subscribe(() => order.push('gap'))
    harness.engine.acceptedTransactions$().subscribe((change) => {
      if (change.type === 'accepted') order.push(letter(change.transactionId))
    })
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    disconnectAndPrune()
    await expect.poll(summary).toEqual(['accepted-transactions a..c'])
    harness.node.addBlocks('d')
    await expect.poll(() => order).toEqual(['a', 'gap', 'd'])
    expect(gaps[0]?.cause).toMatchObject({ code: 'history-gap', reason: 'pruned', cause: { code: 'remote' } })
    expect(gaps[0]?.timestamp).toBeGreaterThan(0)
  })

  it('reports a gap in acceptance once for all subscribers, whatever their start', async () => {
    const { summary } = recordGaps()
    harness.engine.acceptedTransactions$().subscribe()
    harness.engine.acceptedTransactions$({ from: hash('0') }).subscribe()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    disconnectAndPrune()
    await expect.poll(summary).toHaveLength(1)
    harness.node.addBlocks('d')
    await harness.settle()
    disconnectAndPrune('ef')
    await expect.poll(summary).toHaveLength(2)
    await harness.settle()
    expect(summary()).toEqual(['accepted-transactions a..c', 'accepted-transactions d..f'])
  })

  it('reports a gap in blocks', async () => {
    const { summary } = recordGaps()
    harness.engine.blocks$().subscribe()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    disconnectAndPrune()
    await expect.poll(summary).toEqual(['blocks a..?'])
  })

  it('does not report a gap after a timeout, which is retried', async () => {
    const { summary } = recordGaps()
    const received: string[] = []
    harness.engine.blocks$().subscribe(({ hash }) => received.push(letter(hash)))
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    const slow = new ChainRpcError('getBlocks', new Error('slow'), { code: 'timeout' })
    let tries = 0
    const { node } = harness
    node.respond('getBlocks', (request) => (tries++ === 0 ? throwError(() => slow) : node.getBlocks(request)))
    harness.node.drop()
    harness.node.addBlocks('b')
    await expect.poll(() => received).toEqual(['a', 'b'])
    expect([tries, summary()]).toEqual([3, []]) // a failure, a page, and the empty last page
  })

  it('replays nothing, and makes no calls', async () => {
    const before = harness.node.calls.length
    harness.engine.gaps$.subscribe()
    await harness.settle()
    expect(harness.node.calls.length).toBe(before)
    const first = recordGaps()
    harness.engine.acceptedTransactions$().subscribe()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    disconnectAndPrune()
    await expect.poll(first.summary).toHaveLength(1)
    expect(recordGaps().gaps).toEqual([])
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = recordGaps()
    harness.node.drop()
    await harness.engine.dispose()
    expect(end).toEqual(['complete'])
  })
})
