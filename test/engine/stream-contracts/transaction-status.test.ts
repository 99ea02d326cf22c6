import { map } from 'rxjs'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { TransactionStatus, TransactionStatusOptions } from '../../../src/streams/status/status.js'
import { eachTest } from '../../lifetimes.js'
import { createHarness, hash } from './chain-node.js'
import { record } from './engine-harness.js'

/** Time between two mempool reads, ms. */
const MEMPOOL_INTERVAL = 2_000

const harness = eachTest(createHarness)
beforeEach(() => {
  harness.node.respond('getMempoolEntry', () => new Error('not found'))
})

/** Tracks transaction `a`; records the statuses. */
function follow(options?: TransactionStatusOptions) {
  const status$ = harness.engine.transactionStatus$(hash('a'), options)
  const show = ({ status, confirmations }: TransactionStatus): string =>
    status === 'accepted' ? `accepted ${confirmations}` : status
  return { record: () => record(status$.pipe(map(show))) }
}

describe('transactionStatus$', () => {
  it('emits only changes, from unknown to the last confirmation, and completes there', async () => {
    const { received, end } = follow({ confirmations: 2 }).record()
    await harness.settle()
    for (const block of ['a', 'b', 'c', 'd']) {
      harness.node.addBlocks(block)
      await harness.settle()
    }
    expect(received).toEqual(['unknown', 'accepted 0', 'accepted 1', 'accepted 2'])
    expect(end).toEqual(['complete'])
  })

  it('replays the last status to subscribers after completion', async () => {
    const { record } = follow({ confirmations: 2 })
    record()
    await harness.settle()
    for (const block of ['a', 'b', 'c', 'd']) {
      harness.node.addBlocks(block)
      await harness.settle()
    }
    const late = record()
    expect([late.received, late.end]).toEqual([['accepted 2'], ['complete']])
  })

  it('returns to mempool in a reorg', async () => {
    const { received } = follow().record()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    harness.node.addBlocks('xy', 1)
    await harness.settle()
    expect(received).toEqual(['unknown', 'accepted 0', 'mempool'])
  })

  it('emits an acceptance during an outage after it', async () => {
    const { received } = follow().record()
    await harness.settle()
    harness.node.drop()
    harness.node.addBlocks('a')
    await expect.poll(() => received).toEqual(['unknown', 'accepted 0'])
  })

  it('is shared by the subscribers of one call: replays the latest status', async () => {
    const { record } = follow()
    record()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    const callsBefore = harness.node.calls.length
    expect(record().received).toEqual(['accepted 0'])
    await harness.settle()
    expect(harness.node.calls.length).toBe(callsBefore)
  })

  it('finds an earlier acceptance in the recorded chain', async () => {
    harness.engine.acceptedTransactions$().subscribe()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    expect(follow().record().received).toEqual(['unknown', 'accepted 0'])
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = follow().record()
    await harness.settle()
    harness.node.drop()
    await harness.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('stops reading the mempool after the last subscriber', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }) // which schedule the mempool reads
    try {
      const { unsubscribe } = follow().record()
      const mempoolReads = (): number => harness.node.calls.filter(({ method }) => method === 'getMempoolEntry').length
      await vi.advanceTimersByTimeAsync(1)
      const first = mempoolReads()
      await vi.advanceTimersByTimeAsync(MEMPOOL_INTERVAL)
      expect(mempoolReads()).toBe(first + 1)
      unsubscribe()
      await vi.advanceTimersByTimeAsync(MEMPOOL_INTERVAL)
      expect(mempoolReads()).toBe(first + 1)
    } finally {
      vi.useRealTimers()
    }
  })
})
