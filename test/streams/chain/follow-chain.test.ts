import { firstValueFrom, toArray, take as takeFirst } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { type CoreParts, feature } from '../../../src/engine/core-parts.js'
import { chain } from '../../../src/engine/features/chain.js'
import type { ChainBatch } from '../../../src/streams/chain/batch.js'
import type { FollowChainOptions } from '../../../src/streams/chain/options.js'
import { createHarness, settle, take, type ChainHarness } from './harness.js'
import { SIMULATED_ADDRESS, type SimulatedNode } from './simulated-network.js'

const follow = (core: CoreParts, options?: FollowChainOptions) => feature(core, chain).followChain(options)

const hashesOf = (batches: readonly ChainBatch[]): string[] =>
  batches.flatMap(({ blocks }) => blocks.map(({ hash }) => hash))

const hashesFrom = (node: SimulatedNode, height: number): string[] => node.chain.slice(height).map(({ hash }) => hash)

/** The only node of a harness. */
function nodeOf({ nodes: [node] }: ChainHarness): SimulatedNode {
  if (node === undefined) throw new Error('A harness has a node')
  return node
}

const methodsOf = (node: SimulatedNode): string[] =>
  node.node.calls.map(({ method }) => method).filter((method) => method.startsWith('get') && method !== 'getServerInfo')

describe('the start of followChain', () => {
  it('is the pruning point, from which all blocks are delivered in batches of maxBlocks', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(25)
    const core = harness.open()
    const batches = await take(follow(core, { from: 'pruning-point', maxBlocks: 10 }), harness.clock)
    expect(batches.map(({ blocks, isLive }) => [blocks.length, isLive])).toEqual([
      [10, false],
      [10, false],
      [5, true],
    ])
    expect(hashesOf(batches)).toEqual(hashesFrom(node, 1))
  })

  it('is the sink by default: an empty batch carries the first cursor', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(5)
    const core = harness.open()
    const batches = follow(core)
    const [first] = await take(batches, harness.clock)
    expect(first).toMatchObject({ blocks: [], rollback: null, isLive: true })
    node.grow(2)
    expect(hashesOf(await take(batches, harness.clock))).toEqual(hashesFrom(node, 6))
  })

  it('is a given chain block, or the fork point below it where it left the chain', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(5)
    const left = node.sink.hash
    const onChain = node.chain[2]?.hash ?? ''
    node.grow(3, { depth: 1 })
    const core = harness.open()
    const from = await take(follow(core, { from: onChain.toUpperCase() }), harness.clock)
    expect(hashesOf(from)).toEqual(hashesFrom(node, 3))
    const [afterFork] = await take(follow(core, { from: left }), harness.clock)
    expect(afterFork?.rollback).toEqual({ hash: node.chain[4]?.hash, blueScore: 4n, daaScore: 4n })
    expect(hashesOf([afterFork!])).toEqual(hashesFrom(node, 5))
  })

  it('is a cursor: resuming takes four requests at most', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(30)
    const core = harness.open()
    const [batch] = await take(follow(core, { from: 'pruning-point', maxBlocks: 20 }), harness.clock, () => true)
    const before = methodsOf(node).length
    const resumed = await take(follow(core, { cursor: batch!.cursor }), harness.clock)
    expect(hashesOf(resumed)).toEqual(hashesFrom(node, 21))
    expect(methodsOf(node).length - before).toBeLessThanOrEqual(4)
  })

  it.each<[string, object]>([
    ['cursor', { cursor: 'damaged' }],
    ['cursor', { cursor: 7 }],
    ['from', { cursor: 'x', from: 'sink' }],
    ['from', { from: 'tip' }],
    ['minConfirmations', { minConfirmations: -1 }],
    ['minConfirmations', { minConfirmations: 1.5 }],
    ['maxBlocks', { maxBlocks: 0 }],
    ['detail', { detail: 'all' }],
    ['onGap', { onGap: 'ignore' }],
    ['nodeBehindTimeout', { nodeBehindTimeout: Number.NaN }],
    ['signal', { signal: true }],
    ['confirmations', { confirmations: 3 }],
    ['toString', { toString: 3 }],
  ])('refuses an invalid %s (%o) without a connection', async (argument, options) => {
    const harness = createHarness()
    const core = harness.open()
    await expect(follow(core, options).next()).rejects.toMatchObject({ code: 'invalid-argument', argument })
    expect(nodeOf(harness).node.dialled).toEqual([])
  })
})

describe('a batch', () => {
  it('contains amounts, addresses and fees of accepted transactions', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(1)
    const core = harness.open()
    const [batch] = await take(follow(core, { from: 'pruning-point' }), harness.clock)
    const { hash, ids } = node.sink
    expect(batch?.blocks).toEqual([
      {
        hash,
        blueScore: 1n,
        daaScore: 1n,
        timestamp: 100,
        transactions: [
          {
            id: ids[0],
            version: 0,
            payload: '',
            isCoinbase: false,
            storageMass: 5n,
            computeMass: 7n,
            inputs: [{ outpoint: { transactionId: ids[0], index: 1 }, address: SIMULATED_ADDRESS, amount: 10n }],
            outputs: [expect.objectContaining({ index: 0, address: SIMULATED_ADDRESS, amount: 9n })],
            fee: 1n,
          },
        ],
      },
    ])
  })

  it('contains ids only with detail "ids", read at verbosity Low', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(1, { transactions: 2 })
    const core = harness.open()
    const { followChain } = feature(core, chain)
    const [batch] = await take(followChain({ from: 'pruning-point', detail: 'ids' }), harness.clock)
    expect(batch?.blocks[0]?.transactions).toEqual(node.sink.ids.map((id) => ({ id })))
    const request = node.node.calls.find(({ method }) => method === 'getVirtualChainFromBlockV2')?.request
    expect(request).toMatchObject({ dataVerbosityLevel: 'Low' })
  })

  it('is read with ids by other methods from a node below 1.1, which has no full detail', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.version = '1.0.1'
    node.grow(205)
    const core = harness.open()
    const { followChain } = feature(core, chain)
    const batches = await take(followChain({ from: 'pruning-point', detail: 'ids' }), harness.clock)
    expect(batches.flatMap(({ blocks }) => blocks.map(({ hash }) => hash))).toEqual(hashesFrom(node, 1))
    expect(methodsOf(node)).not.toContain('getVirtualChainFromBlockV2')
    const full = settle(follow(core, { from: 'pruning-point' }).next(), harness.clock)
    await expect(full).rejects.toMatchObject({ code: 'unsupported' })
  })
})

describe('minConfirmations', () => {
  it.each([1, 2, 10])('holds blocks back until they are %i below the sink', async (minConfirmations) => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(30, { score: 3n })
    const core = harness.open()
    const batches = follow(core, { from: 'pruning-point', minConfirmations })
    const deep = (): string[] =>
      node.chain
        .slice(1)
        .filter(({ blueScore }) => node.sink.blueScore - blueScore >= BigInt(minConfirmations))
        .map(({ hash }) => hash)
    const first = hashesOf(await take(batches, harness.clock))
    expect(first).toEqual(deep())
    node.grow(1)
    node.grow(20)
    const more = hashesOf(await take(batches, harness.clock, ({ blocks }) => blocks.at(-1)?.hash === deep().at(-1)))
    expect([...first, ...more]).toEqual(deep())
  })

  it('reports a reorg below the held back blocks at once, with no block in its place yet', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(30)
    const core = harness.open()
    const batches = follow(core, { from: 'pruning-point', minConfirmations: 5 })
    await take(batches, harness.clock)
    const fork = node.chain[22]
    node.grow(1, { depth: 8, work: 100n })
    const [batch] = await take(batches, harness.clock, () => true)
    expect(batch).toMatchObject({ rollback: { hash: fork?.hash, blueScore: 22n }, blocks: [] })
  })
})

describe('followChain while live', () => {
  it('sends nothing until a notification, then one request', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    const next = batches.next()
    await harness.clock.advance(1_000)
    const before = methodsOf(node).length
    await harness.clock.advance(3_000)
    expect(methodsOf(node)).toHaveLength(before)
    node.grow(1)
    expect((await settle(next, harness.clock)).value).toMatchObject({ isLive: true, rollback: null })
    expect(methodsOf(node).slice(before)).toEqual(['getVirtualChainFromBlockV2'])
  })

  it('sends one request for each notified block, and none behind it', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    let next = batches.next()
    await harness.clock.advance(1_000)
    const before = methodsOf(node).length
    for (let count = 0; count < 3; count++) {
      node.grow(1)
      expect((await settle(next, harness.clock)).value?.blocks).toHaveLength(1)
      next = batches.next()
      await harness.clock.advance(1_000)
    }
    expect(methodsOf(node).slice(before)).toEqual(Array(3).fill('getVirtualChainFromBlockV2'))
    await batches.return?.()
    expect(await next).toEqual({ done: true, value: undefined })
  })

  it('reads on where a page ends below the notified block', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    const next = batches.next()
    await harness.clock.advance(1_000)
    node.corruptPage = (page) => {
      node.corruptPage = (later) => later
      return {
        ...page,
        addedChainBlockHashes: page.addedChainBlockHashes.slice(0, 1),
        chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.slice(0, 1),
      }
    }
    node.grow(2)
    const pages = [await settle(next, harness.clock), await settle(batches.next(), harness.clock)]
    expect(hashesOf(pages.flatMap(({ value }) => value ?? []))).toEqual(hashesFrom(node, 1))
  })

  it('merges the notifications of one frame', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    const next = batches.next()
    await harness.clock.advance(100)
    for (let count = 0; count < 5; count++) node.grow(1)
    const { value } = await settle(next, harness.clock)
    expect(value?.blocks).toHaveLength(5)
  })

  it('rolls back to the selected parent of the last removed block', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(20)
    const core = harness.open()
    const batches = follow(core, { from: 'pruning-point' })
    await take(batches, harness.clock)
    const next = batches.next()
    await harness.clock.advance(100)
    node.grow(6, { depth: 3 })
    const { value } = await settle(next, harness.clock)
    expect(value?.rollback).toEqual({ hash: node.chain[17]?.hash, blueScore: 17n, daaScore: 17n })
    expect(hashesOf([value!])).toEqual(hashesFrom(node, 18))
  })

  it('subscribes when it is live, and unsubscribes with return()', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(150)
    const core = harness.open()
    const batches = follow(core, { from: 'pruning-point' })
    const isSubscribed = (): boolean =>
      node.node.sockets.some(({ subscriptions }) => subscriptions.types.includes('virtual-chain-changed'))
    await take(batches, harness.clock, () => true)
    expect(isSubscribed()).toBe(false)
    await take(batches, harness.clock)
    const next = batches.next()
    await harness.clock.advance(100)
    expect(isSubscribed()).toBe(true)
    await batches.return?.()
    expect(await next).toEqual({ done: true, value: undefined })
    await harness.clock.advance(5_000)
    expect(isSubscribed()).toBe(false)
    expect(await batches.next()).toEqual({ done: true, value: undefined })
  })
})

describe('back-pressure', () => {
  it('reads the next page only when the last one was taken', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(3_000)
    const core = harness.open()
    const batches = follow(core, { from: 'pruning-point', maxBlocks: 50 })
    const pages = (): number => methodsOf(node).filter((method) => method === 'getVirtualChainFromBlockV2').length
    let taken = 0
    while (taken < 400) taken += (await settle(batches.next(), harness.clock)).value?.blocks.length ?? 0
    await harness.clock.advance(60_000)
    expect(pages()).toBe(1)
    await settle(batches.next(), harness.clock)
    await harness.clock.advance(60_000)
    expect(pages()).toBe(2)
  })
})

describe('the end of followChain', () => {
  it.each(['pending', 'idle'])('comes with the signal while next() is %s', async (state) => {
    const harness = createHarness()
    const abort = new AbortController()
    const core = harness.open()
    const batches = follow(core, { signal: abort.signal })
    await take(batches, harness.clock)
    const pending = state === 'pending' ? batches.next() : undefined
    abort.abort(new Error('closing'))
    await expect(pending ?? batches.next()).rejects.toMatchObject({ code: 'aborted', cause: abort.signal.reason })
  })

  it('comes at once with a signal that has aborted before', async () => {
    const harness = createHarness()
    const core = harness.open()
    await expect(follow(core, { signal: AbortSignal.abort() }).next()).rejects.toMatchObject({ code: 'aborted' })
    expect(nodeOf(harness).node.dialled).toEqual([])
  })

  it('comes with dispose()', async () => {
    const harness = createHarness()
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    const pending = batches.next()
    await core.dispose()
    await expect(pending).rejects.toMatchObject({ code: 'disposed' })
    await expect(follow(core).next()).rejects.toMatchObject({ code: 'disposed' })
  })

  it('comes with switchNetwork(): a cursor belongs to one network', async () => {
    const harness = createHarness()
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    const pending = batches.next()
    const switched = core.switchNetwork('devnet').catch((error: unknown) => error) // the node is of simnet
    await expect(pending).rejects.toMatchObject({ code: 'aborted', message: 'The engine was switched to devnet' })
    await core.dispose()
    await switched
  })

  it('comes with the connection state error', async () => {
    const harness = createHarness()
    harness.down.add(nodeOf(harness))
    const core = harness.open({ reconnect: { maxRetries: 2 } })
    await expect(settle(follow(core).next(), harness.clock)).rejects.toMatchObject({
      name: 'ChainRpcError',
      method: 'followChain',
      code: 'connect-failed',
    })
  })
})

describe('chainBatches$', () => {
  it('emits the batches, and ends the iteration when it is unsubscribed', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(30)
    const core = harness.open()
    const batches$ = feature(core, chain).chainBatches$({ from: 'pruning-point', maxBlocks: 10 })
    const batches = await settle(firstValueFrom(batches$.pipe(takeFirst(3), toArray())), harness.clock)
    expect(hashesOf(batches)).toEqual(hashesFrom(node, 1))
    await harness.clock.advance(5_000)
    expect(node.node.sockets.some(({ subscriptions }) => subscriptions.types.includes('virtual-chain-changed'))).toBe(
      false,
    )
  })

  it('errors where next() rejects', async () => {
    const harness = createHarness()
    const core = harness.open()
    await expect(firstValueFrom(feature(core, chain).chainBatches$({ maxBlocks: 0 }))).rejects.toMatchObject({
      code: 'invalid-argument',
    })
  })
})
