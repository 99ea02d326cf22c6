import { describe, expect, it } from 'vitest'
import { type CoreParts, feature } from '../../../src/engine/core-parts.js'
import type { VirtualChainV2Result } from '../../../src/node/messages/records.js'
import { chain } from '../../../src/engine/features/chain.js'
import { isHistoryGap } from '../../../src/errors/history-gap.js'
import type { ChainBatch } from '../../../src/streams/chain/batch.js'
import type { FollowChainOptions } from '../../../src/streams/chain/options.js'
import { createHarness, settle, take, type ChainHarness } from './harness.js'
import type { SimulatedNode } from './simulated-network.js'

/** Each rule of the cursor protocol, in the situation that it was made for. */

const follow = (core: CoreParts, options: FollowChainOptions = {}) =>
  feature(core, chain).followChain({ from: 'pruning-point', ...options })

const hashesOf = (batches: readonly ChainBatch[]): string[] =>
  batches.flatMap(({ blocks }) => blocks.map(({ hash }) => hash))

const hashesFrom = (node: SimulatedNode, height: number): string[] => node.chain.slice(height).map(({ hash }) => hash)

function nodesOf({ nodes: [first, second = first] }: ChainHarness): { first: SimulatedNode; second: SimulatedNode } {
  if (first === undefined || second === undefined) throw new Error('A harness has nodes')
  return { first, second }
}

const rollbacksOf = (batches: readonly ChainBatch[]): string[] =>
  batches.flatMap(({ rollback }) => (rollback === null ? [] : [rollback.hash]))

describe('a node that is behind', () => {
  it.each(['known', 'unknown'] as const)(
    'is never taken for a reorg, whether the newest headers are %s to it (a sync, a restored folder)',
    async (headers) => {
      const harness = createHarness()
      const { first: node } = nodesOf(harness)
      node.grow(100)
      const { sink } = node
      const core = harness.open()
      const batches = follow(core)
      await take(batches, harness.clock)
      node.rewind(30, headers)
      const next = batches.next()
      await harness.clock.advance(30_000)
      node.adopt(sink)
      node.grow(2)
      const { value } = await settle(next, harness.clock)
      expect(value).toMatchObject({ rollback: null })
      expect(hashesOf([value!])).toEqual(hashesFrom(node, 101))
    },
  )

  it('is followed again by a batch without blocks where it catches up to the same sink', async () => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(100)
    const { sink } = node
    const core = harness.open()
    const problems: string[] = []
    const batches = follow(core, { onProblem: ({ type }) => problems.push(type) })
    const before = await take(batches, harness.clock)
    node.rewind(30, 'known')
    const next = batches.next()
    await harness.clock.advance(30_000)
    expect(new Set(problems)).toEqual(new Set(['behind']))
    node.adopt(sink)
    const { value } = await settle(next, harness.clock)
    expect(value).toMatchObject({ rollback: null, blocks: [], isLive: true, cursor: before.at(-1)!.cursor })
    const further = batches.next()
    await harness.clock.advance(30_000)
    node.grow(1)
    expect(hashesOf([(await settle(further, harness.clock)).value!])).toEqual(hashesFrom(node, 101))
  })

  it('is judged by the sink it had before the page: it may catch up in between', async () => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(100)
    const { sink } = node
    const core = harness.open()
    const [batch] = await take(follow(core, { maxBlocks: 1_000 }), harness.clock)
    node.rewind(30, 'known')
    let calls = 0
    node.beforeResponse = (method) => {
      if (method === 'getServerInfo' || ++calls !== 2) return undefined
      node.adopt(sink)
      node.grow(5)
      return undefined
    }
    const resumed = await take(follow(core, { from: undefined, cursor: batch!.cursor }), harness.clock)
    expect(rollbacksOf(resumed)).toEqual([])
    expect(hashesOf(resumed)).toEqual(hashesFrom(node, 101))
  })

  it('is left for another endpoint', async () => {
    const harness = createHarness(2)
    const { first, second } = nodesOf(harness)
    first.grow(100)
    second.adopt(first.sink)
    second.grow(3)
    const core = harness.open()
    const batches = follow(core, { maxBlocks: 1_000 })
    await take(batches, harness.clock)
    first.rewind(30, 'known')
    const { value } = await settle(batches.next(), harness.clock)
    expect(value).toMatchObject({ rollback: null })
    expect(hashesOf([value!])).toEqual(hashesFrom(second, 101))
  })

  it('ends the iteration after nodeBehindTimeout, with few requests until then', async () => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(100)
    const core = harness.open()
    const batches = follow(core, { maxBlocks: 1_000, nodeBehindTimeout: 120_000 })
    await take(batches, harness.clock)
    node.rewind(30, 'known')
    const before = node.node.calls.length
    const began = harness.clock.frame
    await expect(settle(batches.next(), harness.clock, began + 300_000)).rejects.toMatchObject({
      name: 'ChainRpcError',
      method: 'followChain',
      code: 'node-behind',
    })
    expect(harness.clock.frame - began).toBeGreaterThanOrEqual(120_000)
    expect(harness.clock.frame - began).toBeLessThan(140_000)
    expect(node.node.calls.length - before).toBeLessThan(120)
  })
})

describe('siblings of equal blue work', () => {
  it.each(['larger', 'smaller'])('replace each other by hash: the %s one', async (which) => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(10)
    const parent = node.sink
    const pair = [node.blocks.add(parent), node.blocks.add(parent)].sort((a, b) => (a.hash > b.hash ? -1 : 1))
    const [followed, sibling] = which === 'larger' ? [pair[1], pair[0]] : [pair[0], pair[1]]
    node.moveTo(followed!)
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    const next = batches.next()
    await harness.clock.advance(100)
    node.moveTo(sibling!)
    await harness.clock.advance(20_000)
    if (which === 'smaller') node.moveTo(followed!) // the node was behind: what it had is not reported
    node.grow(1)
    const { value } = await settle(next, harness.clock)
    expect(value?.rollback?.hash).toBe(which === 'larger' ? parent.hash : undefined)
  })
})

describe('a reorg', () => {
  it.each([1, 16, 200])('of %i blocks while the program was down is rolled back to its fork point', async (depth) => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(400)
    const core = harness.open()
    const batches = await take(follow(core), harness.clock)
    const fork = node.chain.at(-1 - depth)
    node.grow(depth + 2, { depth })
    const resumed = await take(follow(core, { from: undefined, cursor: batches.at(-1)!.cursor }), harness.clock)
    expect(rollbacksOf(resumed)).toEqual([fork?.hash])
    expect(hashesOf(resumed)).toEqual(node.chain.filter(({ height }) => height > fork!.height).map(({ hash }) => hash))
  })

  it('to a branch of a node that never had the followed one is rolled back to a block of the locator', async () => {
    const harness = createHarness(2)
    const { first, second } = nodesOf(harness)
    first.grow(300)
    second.adopt(first.sink)
    second.grow(40, { depth: 20, work: 3n })
    first.grow(25)
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    harness.down.add(first)
    first.node.drop()
    const [batch] = await take(batches, harness.clock)
    const restored = second.chain.find(({ hash }) => hash === batch?.rollback?.hash)
    expect(restored?.height).toBeGreaterThan(200)
    expect(restored?.height).toBeLessThanOrEqual(280)
    expect(hashesOf([batch!])).toEqual(hashesFrom(second, restored!.height + 1))
  })
})

describe('a script without an address', () => {
  it.each(['ids', 'full'] as const)('stops no page: its block is read by other methods (%s)', async (detail) => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(30)
    node.grow(1, { isNonStandard: true, score: 4n })
    node.grow(2, { isNonStandard: true })
    node.grow(30)
    const core = harness.open()
    const batches = follow(core, { detail, maxBlocks: 1_000 })
    const blocks = (await take(batches, harness.clock)).flatMap((batch) => batch.blocks)
    expect(blocks.map(({ hash }) => hash)).toEqual(hashesFrom(node, 1))
    expect(blocks.map(({ transactions }) => transactions.map(({ id }) => id))).toEqual(
      node.chain.slice(1).map(({ ids }) => ids),
    )
    const unknown = blocks.filter(({ transactions: [transaction] }) => transaction?.fee === null)
    const expected = detail === 'full' ? node.chain.filter(({ isNonStandard }) => isNonStandard) : []
    expect(unknown.map(({ hash }) => hash)).toEqual(expected.map(({ hash }) => hash))
    const next = batches.next()
    await harness.clock.advance(100)
    node.grow(1, { isNonStandard: true })
    expect(hashesOf([(await settle(next, harness.clock)).value!])).toEqual([node.sink.hash])
  })
})

describe('a page', () => {
  it('is cut from the top, and larger where blocks are small', async () => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(6_000)
    const core = harness.open()
    await take(follow(core, { maxBlocks: 10_000 }), harness.clock)
    const counts = node.node.calls.flatMap(({ method, request }) =>
      method === 'getVirtualChainFromBlockV2'
        ? [Number((request as { minConfirmationCount: bigint }).minConfirmationCount)]
        : [],
    )
    expect(counts).toEqual([5_599, 3_999, 1_499, 0])
  })

  it('is smaller where blocks are large, down to a few blocks', async () => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(600, { transactions: 300 })
    const core = harness.open()
    const batches = await take(follow(core, { maxBlocks: 10_000 }), harness.clock)
    expect(batches[0]?.blocks).toHaveLength(400) // sized before anything is known
    for (const { blocks } of batches.slice(1)) expect(blocks.length).toBeLessThan(50)
    expect(hashesOf(batches)).toEqual(hashesFrom(node, 1))
  })

  it('is smaller after one that was not received', async () => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(600)
    let drops = 2
    node.beforeResponse = (method) => {
      if (method !== 'getVirtualChainFromBlockV2' || drops-- <= 0) return undefined
      node.node.drop('message too big')
      return 'lost'
    }
    const core = harness.open()
    const batches = await take(follow(core, { maxBlocks: 10_000 }), harness.clock)
    expect(batches[0]?.blocks).toHaveLength(25)
    expect(hashesOf(batches)).toEqual(hashesFrom(node, 1))
  })
})

describe('a gap', () => {
  /** A program that stopped at block 100 of a node that has pruned it since. */
  async function pruned(): Promise<{ harness: ChainHarness; node: SimulatedNode; core: CoreParts; cursor: string }> {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(100)
    const core = harness.open()
    const [batch] = await take(follow(core), harness.clock)
    node.grow(2_000)
    node.prunedBelow = 1_500n
    return { harness, node, core, cursor: batch!.cursor }
  }

  it('rejects with both ends, the reason and a cursor that continues behind it', async () => {
    const { harness, node, core, cursor } = await pruned()
    const error: unknown = await settle(follow(core, { from: undefined, cursor }).next(), harness.clock).catch(
      (reason: unknown) => reason,
    )
    if (!isHistoryGap(error)) throw error
    expect(error).toMatchObject({
      reason: 'pruned',
      from: { hash: node.chain[100]?.hash, blueScore: 100n },
      to: { hash: node.chain[1_500]?.hash, blueScore: 1_500n },
      cause: { code: 'remote' },
    })
    const resumed = await take(follow(core, { from: undefined, cursor: error.resumeCursor }), harness.clock)
    expect(hashesOf(resumed)).toEqual(hashesFrom(node, 1_501))
    await core.dispose()
  })

  it('is passed with onGap "continue", by a rollback to the block behind it', async () => {
    const { harness, node, core, cursor } = await pruned()
    const batches = await take(follow(core, { from: undefined, cursor, onGap: 'continue' }), harness.clock)
    expect(rollbacksOf(batches)).toEqual([node.chain[1_500]?.hash])
    expect(hashesOf(batches)).toEqual(hashesFrom(node, 1_501))
    await core.dispose()
  })

  it('is of unknown history where the node has other blocks only', async () => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    const other = createHarness()
    const { first: otherNode } = nodesOf(other)
    otherNode.grow(3, { depth: 0 })
    node.grow(3_000)
    const otherCore = other.open()
    const [batch] = await take(follow(otherCore, { from: 'sink' }), other.clock)
    node.blocks.all.delete(otherNode.sink.hash)
    node.headers.delete(otherNode.sink.hash)
    const core = harness.open()
    const next = follow(core, { from: undefined, cursor: batch!.cursor }).next()
    await expect(settle(next, harness.clock)).rejects.toMatchObject({ code: 'history-gap', reason: 'unknown-history' })
    await Promise.all([core.dispose(), otherCore.dispose()])
  })

  it('is not assumed where a new block may not have reached the node yet', async () => {
    const harness = createHarness(2)
    const { first, second } = nodesOf(harness)
    first.grow(10)
    second.adopt(first.sink)
    first.grow(1)
    second.grow(1, { work: 2n })
    const core = harness.open()
    const batches = follow(core, { from: 'sink' })
    await take(batches, harness.clock)
    harness.down.add(first)
    first.node.drop()
    const next = batches.next()
    await harness.clock.advance(700)
    second.headers.add(first.sink.hash)
    expect((await settle(next, harness.clock)).value).toMatchObject({ rollback: { blueScore: 10n } })
  })
})

describe('an inconsistent response', () => {
  type Block = VirtualChainV2Result['chainBlockAcceptedTransactions'][number]
  const changeBlock = (
    page: VirtualChainV2Result,
    at: number,
    change: (block: Block) => Block,
  ): VirtualChainV2Result => ({
    ...page,
    chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.map((block, index) =>
      index === at ? change(block) : block,
    ),
  })
  const withScore = (page: VirtualChainV2Result, at: number, blueScore: bigint | undefined): VirtualChainV2Result =>
    changeBlock(page, at, (block) => ({ ...block, chainBlockHeader: { ...block.chainBlockHeader, blueScore } }))
  const hash = 'f'.repeat(64)

  it.each<[string, (page: VirtualChainV2Result) => VirtualChainV2Result]>([
    ['blocks and transactions differ in number', (page) => ({ ...page, addedChainBlockHashes: [] })],
    [
      'blocks and transactions differ in order',
      (page) => ({ ...page, addedChainBlockHashes: page.addedChainBlockHashes.map(() => hash) }),
    ],
    ['a header is incomplete', (page) => withScore(page, 0, undefined)],
    ['the blue scores of the chain do not rise', (page) => withScore(page, 0, 0n)],
    ['the first removed block is not the start block', (page) => ({ ...page, removedChainBlockHashes: [hash] })],
    [
      'a transaction has no id',
      (page) =>
        changeBlock(page, 0, (block) => ({
          ...block,
          acceptedTransactions: block.acceptedTransactions.map((each) => ({ ...each, verboseData: undefined })),
        })),
    ],
  ])('is not believed, and ends the iteration: %s', async (fault, change) => {
    const harness = createHarness()
    const { first: node } = nodesOf(harness)
    node.grow(5)
    node.corruptPage = change
    const core = harness.open()
    const next = follow(core, { nodeBehindTimeout: 10_000 }).next()
    const error: unknown = await settle(next, harness.clock).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ code: 'node-behind' })
    expect(String(error)).toContain(fault)
  })
})
