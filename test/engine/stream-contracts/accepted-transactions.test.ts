import { NEVER, map, of } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { AcceptanceChange, Gap, SendersResolved } from '../../../src/streams/acceptance/acceptance.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { eachTest } from '../../lifetimes.js'
import { createHarness, hash, letter } from './chain-node.js'
import { record } from './engine-harness.js'

const harness = eachTest(createHarness)

/** `+a` accepted, `-a` reverted, `<a` rolled back to `a`. */
function show(change: AcceptanceChange): string {
  if (change.type === 'rollback') return `<${letter(change.hash)}`
  return `${change.type === 'accepted' ? '+' : '-'}${letter(change.transactionId)}`
}

const recordChanges = (options: { from?: string } = {}) =>
  record(harness.engine.acceptedTransactions$(options).pipe(map(show)))

describe('acceptedTransactions$', () => {
  it('emits in the order of the chain; a reorg first reverts, newest first', async () => {
    const { received } = recordChanges()
    await harness.settle()
    harness.node.addBlocks('abc')
    await harness.settle()
    harness.node.addBlocks('xy', 2)
    await harness.settle()
    expect(received).toEqual(['+a', '+b', '+c', '<a', '-c', '-b', '+x', '+y'])
  })

  it('emits transactions accepted while the start block is fetched', async () => {
    const { received } = recordChanges()
    harness.node.addBlocks('a')
    await harness.settle()
    harness.node.addBlocks('b')
    await harness.settle()
    expect(received).toEqual(['+a', '+b'])
  })

  it('is shared: a second subscriber makes no calls and gets no replay', async () => {
    const first = recordChanges()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    const callsBefore = harness.node.calls.length
    const second = recordChanges()
    await harness.settle()
    expect(harness.node.calls.length).toBe(callsBefore)
    harness.node.addBlocks('b')
    await harness.settle()
    expect([first.received, second.received]).toEqual([['+a', '+b'], ['+b']])
  })

  it('backfills transactions accepted during an outage, once', async () => {
    const { received } = recordChanges()
    await harness.settle()
    harness.node.addBlocks('ab')
    await harness.settle()
    harness.node.drop()
    harness.node.addBlocks('xy', 1)
    await expect.poll(() => received).toEqual(['+a', '+b', '<a', '-b', '+x', '+y'])
    harness.node.addBlocks('z')
    await expect.poll(() => received.at(-1)).toBe('+z')
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = recordChanges()
    await harness.settle()
    harness.node.respond('getSink', () => {
      throw new Error('unexpected')
    })
    harness.node.drop()
    await harness.settle()
    await harness.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('unsubscribes at the node after the last subscriber, and keeps its position for an immediate resubscription', async () => {
    const first = recordChanges()
    await harness.settle()
    first.unsubscribe()
    harness.node.addBlocks('a')
    await harness.settle()
    const second = recordChanges()
    await harness.settle()
    harness.node.addBlocks('b')
    await harness.settle()
    expect(second.received).toEqual(['+b'])
    second.unsubscribe()
    await expect.poll(() => harness.node.count('unsubscribe', 'virtual-chain-changed')).toBe(1)
  })

  it('starts at a given block with the transactions accepted since', async () => {
    harness.node.addBlocks('abc')
    const { received } = recordChanges({ from: hash('a') })
    await expect.poll(() => received).toEqual(['+b', '+c'])
    harness.node.addBlocks('d')
    await expect.poll(() => received).toEqual(['+b', '+c', '+d'])
  })

  it('starts at a cursor of followChain', async () => {
    harness.node.addBlocks('ab')
    const { value } = await harness.engine.followChain().next()
    harness.node.addBlocks('cd', 1)
    const { received } = recordChanges({ from: value?.cursor ?? '' })
    await expect.poll(() => received).toEqual(['<a', '+c', '+d'])
  })

  it('rejects a start that is neither a hash nor a cursor', () => {
    expect(() => harness.engine.acceptedTransactions$({ from: 'ab' })).toThrow('"from" is not the text of a cursor')
    expect(harness.node.count('subscribe', 'virtual-chain-changed')).toBe(0)
  })

  it('does not delay transactions until their senders are resolved', async () => {
    const received: string[] = []
    harness.node.onSenders(() => NEVER)
    harness.engine
      .acceptedTransactions$({ includeSenderAddresses: true })
      .subscribe((change: AcceptanceChange | SendersResolved) => received.push(change.type))
    await harness.settle()
    await harness.settle()
    harness.node.addBlocks('ab')
    await harness.settle()
    expect(received).toEqual(['accepted', 'accepted'])
  })

  it('makes one sender call per block at most, also with a start block of an earlier run', async () => {
    let requests = 0
    harness.node.onSenders(() => {
      requests++
      return of({ removedChainBlockHashes: [], addedChainBlockHashes: [], chainBlockAcceptedTransactions: [] })
    })
    harness.node.addBlocks('abc')
    harness.engine.acceptedTransactions$({ from: hash('a'), includeSenderAddresses: true }).subscribe()
    await expect.poll(() => requests).toBeGreaterThan(1)
    await harness.settle()
    expect(requests).toBe(2)
  })

  it('restarts on another network, without a gap', async () => {
    const gaps: Gap[] = []
    harness.engine.gaps$.subscribe((gap) => gaps.push(gap))
    const { received } = recordChanges()
    await harness.settle()
    harness.node.addBlocks('a')
    await harness.settle()
    harness.node.respond('getServerInfo', () => fixtures.serverInfo({ networkId: 'devnet' }))
    await harness.engine.switchNetwork('devnet')
    await harness.settle()
    harness.node.addBlocks('b')
    await harness.settle()
    expect(received).toEqual(['+a', '+b'])
    expect(gaps).toEqual([])
  })
})
