import { describe, expect, it } from 'vitest'
import { type CoreParts, feature } from '../../../src/engine/core-parts.js'
import { chain } from '../../../src/engine/features/chain.js'
import type { ChainBatch } from '../../../src/streams/chain/batch.js'
import type { RpcAcceptingBlock, VirtualChainV2Result } from '../../../src/node/messages/records.js'
import type { FollowChainOptions } from '../../../src/streams/chain/options.js'
import type { ChainProblem } from '../../../src/streams/chain/attempts.js'
import { createHarness, settle, take, type ChainHarness } from './harness.js'
import type { SimulatedNode } from './simulated-network.js'

/** What one node alone has claimed is undone by the others. */

const follow = (core: CoreParts, options: FollowChainOptions = {}) =>
  feature(core, chain).followChain({ from: 'pruning-point', maxBlocks: 1_000, ...options })

const hashesOf = (batches: readonly ChainBatch[]): string[] =>
  batches.flatMap(({ blocks }) => blocks.map(({ hash }) => hash))

function nodesOf({ nodes }: ChainHarness): { liar: SimulatedNode; honest: readonly SimulatedNode[] } {
  const [liar, ...honest] = nodes
  if (liar === undefined) throw new Error('A harness has nodes')
  return { liar, honest }
}

/** A harness whose first node has an invented block of a work that no other chain reaches. */
function poisoned(count: number, length = 100): ChainHarness {
  const harness = createHarness(count)
  const { liar, honest } = nodesOf(harness)
  liar.grow(length)
  for (const node of honest) node.adopt(liar.sink)
  liar.grow(1, { work: 10n ** 9n })
  return harness
}

/** The first node cannot be reached any more; the others go on. */
function leave(harness: ChainHarness): void {
  const { liar, honest } = nodesOf(harness)
  harness.down.add(liar)
  liar.node.drop()
  honest[0]?.grow(3)
  for (const node of honest) node.adopt(honest[0]!.sink)
}

/** A page whose last block is stated otherwise. */
const withLastHeader = (
  page: VirtualChainV2Result,
  stated: Partial<RpcAcceptingBlock['chainBlockHeader']>,
): VirtualChainV2Result => ({
  ...page,
  chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.map((block, at, { length }) =>
    at < length - 1 ? block : { ...block, chainBlockHeader: { ...block.chainBlockHeader, ...stated } },
  ),
})

describe('F2: a block that two others deny', () => {
  it('is not on the chain: rolled back to the newest block that both have', async () => {
    const harness = poisoned(3)
    const { liar, honest } = nodesOf(harness)
    const lie = liar.sink
    const problems: ChainProblem[] = []
    const core = harness.open()
    const batches = follow(core, { onProblem: (problem) => problems.push(problem) })
    expect(hashesOf(await take(batches, harness.clock))).toContain(lie.hash)
    leave(harness)
    const next = await take(batches, harness.clock)
    expect(next[0]?.rollback).toMatchObject({ blueScore: 100n, hash: honest[0]!.chain[100]!.hash })
    expect(hashesOf(next)).toEqual(honest[0]!.chain.slice(101).map(({ hash }) => hash))
    expect(problems).toEqual([
      { type: 'behind', url: 'ws://node-1:17510', block: { hash: lie.hash, blueScore: 101n } },
      {
        type: 'rewound',
        urls: ['ws://node-1:17510', 'ws://node-2:17510'],
        block: { hash: lie.hash, blueScore: 101n },
        to: { hash: honest[0]!.chain[100]!.hash, blueScore: 100n },
      },
    ])
  })

  it.each([
    ['blue score', { blueScore: 140n }],
    ['blue work', { blueWork: (10n ** 9n).toString(16) }],
  ])('is rolled back too where the others have it with another %s', async (_, stated) => {
    const harness = createHarness(3)
    const { liar, honest } = nodesOf(harness)
    liar.grow(100)
    for (const node of honest) node.adopt(liar.sink)
    liar.corruptPage = (page) => withLastHeader(page, stated)
    const core = harness.open()
    const batches = follow(core)
    const before = await take(batches, harness.clock)
    leave(harness)
    const next = await take(batches, harness.clock)
    expect(next[0]?.rollback).toMatchObject({ blueScore: 99n, hash: honest[0]!.chain[99]!.hash })
    expect(hashesOf(next)).toEqual(honest[0]!.chain.slice(100).map(({ hash }) => hash))
    expect(hashesOf(before).at(-1)).toBe(hashesOf(next)[0])
  })

  it.each([
    ['only one other denies', 2, () => undefined],
    ['a third has it', 3, ({ nodes: [liar, , third] }: ChainHarness) => third!.moveTo(liar!.sink)],
  ] as const)('stays where %s', async (_, count, prepare) => {
    const harness = poisoned(count)
    prepare(harness)
    const core = harness.open()
    const batches = follow(core, { nodeBehindTimeout: 30_000 })
    const [first] = await take(batches, harness.clock)
    const { liar, honest } = nodesOf(harness)
    harness.down.add(liar)
    liar.node.drop()
    const next = settle(batches.next(), harness.clock)
    if (count === 2) await expect(next).rejects.toMatchObject({ code: 'node-behind' })
    else {
      honest[1]!.grow(1)
      expect((await next).value).toMatchObject({ rollback: null })
    }
    expect(first?.rollback).toBeNull()
  })

  it('stays where the chain of the others has not grown for a minute', async () => {
    const harness = poisoned(3)
    const core = harness.open()
    const batches = follow(core, { nodeBehindTimeout: 30_000 })
    await take(batches, harness.clock)
    await harness.clock.advance(120_000)
    const { liar } = nodesOf(harness)
    harness.down.add(liar)
    liar.node.drop()
    await expect(settle(batches.next(), harness.clock)).rejects.toMatchObject({ code: 'node-behind' })
  })
})

describe('F2: a gap that one node claims', () => {
  it('is none where another endpoint has the position', async () => {
    const harness = createHarness(2)
    const { liar, honest } = nodesOf(harness)
    liar.grow(100)
    honest[0]!.adopt(liar.sink)
    const core = harness.open()
    const batches = follow(core)
    await take(batches, harness.clock)
    const other = liar.blocks.add(null, {})
    liar.headers.clear()
    liar.chain = [other]
    for (let count = 0; count < 20; count++) liar.adopt(liar.blocks.add(liar.sink, { score: 200n, work: 10n ** 6n }))
    liar.headers.delete(liar.blocks.genesis.hash)
    honest[0]!.grow(2)
    const next = await take(batches, harness.clock)
    expect(next.every(({ rollback }) => rollback === null)).toBe(true)
    expect(hashesOf(next)).toEqual(honest[0]!.chain.slice(101).map(({ hash }) => hash))
  })
})

describe('F2: one endpoint', () => {
  /** The cursor of an iteration that followed the lie, and what goes on without it. */
  async function cursorOfLie(harness: ChainHarness): Promise<{ cursor: string; node: SimulatedNode }> {
    const { liar: node } = nodesOf(harness)
    const core = harness.open()
    const [batch] = await take(follow(core), harness.clock)
    await core.dispose()
    node.headers.delete(node.sink.hash)
    node.chain = node.chain.slice(0, -1)
    node.grow(5)
    return { cursor: batch!.cursor, node }
  }

  it('ends in node-behind with the hint to rewind', async () => {
    const harness = poisoned(1)
    const { cursor } = await cursorOfLie(harness)
    const core = harness.open()
    const next = settle(follow(core, { from: undefined, cursor, nodeBehindTimeout: 5_000 }).next(), harness.clock)
    await expect(next).rejects.toMatchObject({ code: 'node-behind', hint: expect.stringContaining('rewindTo') })
  })

  it('goes on with onBehind: rewind', async () => {
    const harness = poisoned(1)
    const { cursor, node } = await cursorOfLie(harness)
    const core = harness.open()
    const batches = await take(follow(core, { from: undefined, cursor, onBehind: 'rewind' }), harness.clock)
    expect(batches[0]?.rollback).toMatchObject({ blueScore: 100n })
    expect(hashesOf(batches)).toEqual(node.chain.slice(101).map(({ hash }) => hash))
  })

  it.each([
    ['a blue score', '90', 90],
    ['a hash', null, 40],
  ])('rewinds to %s', async (_, score, height) => {
    const harness = poisoned(1)
    const { cursor, node } = await cursorOfLie(harness)
    const core = harness.open()
    const rewindTo = score ?? node.chain[height]!.hash.toUpperCase()
    const batches = await take(follow(core, { from: undefined, cursor, rewindTo }), harness.clock)
    expect(batches[0]?.rollback).toMatchObject({ blueScore: BigInt(height) })
    expect(hashesOf(batches)).toEqual(node.chain.slice(height + 1).map(({ hash }) => hash))
  })

  it('rewinds below a score where the cursor left the chain of the node there', async () => {
    const harness = createHarness()
    const { liar: node } = nodesOf(harness)
    node.grow(90)
    const fork = node.sink
    node.grow(10)
    const core = harness.open()
    const [batch] = await take(follow(core), harness.clock)
    for (const { hash } of node.chain.slice(91)) node.headers.delete(hash)
    node.moveTo(fork)
    node.grow(9)
    const rewound = await take(follow(core, { from: undefined, cursor: batch!.cursor, rewindTo: '95' }), harness.clock)
    expect(rewound[0]?.rollback).toMatchObject({ blueScore: 90n, hash: fork.hash })
    expect(hashesOf(rewound)).toEqual(node.chain.slice(91).map(({ hash }) => hash))
  })

  it('rewinds to a score between two blocks of the cursor that nodes skip', async () => {
    const harness = createHarness()
    const { liar: node } = nodesOf(harness)
    node.grow(500, { score: 3n })
    const core = harness.open()
    const batch = (await take(follow(core), harness.clock)).at(-1)
    const rewound = follow(core, { from: undefined, cursor: batch!.cursor, rewindTo: '700' })
    expect((await settle(rewound.next(), harness.clock)).value?.rollback).toMatchObject({ blueScore: 699n })
  })

  it.each([
    ['that the node does not have', 'ab'.repeat(32), 'is no block of the chain of the node'],
    ['above the cursor', '102', 'is above the cursor'],
  ])('refuses a target %s, with the range', async (_, rewindTo, message) => {
    const harness = poisoned(1)
    const { cursor } = await cursorOfLie(harness)
    const core = harness.open()
    const next = settle(follow(core, { from: undefined, cursor, rewindTo }).next(), harness.clock)
    await expect(next).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'rewindTo',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('up to 101'),
    })
  })
})

describe('F2: agree', () => {
  it('needs two endpoints of different hosts', async () => {
    const harness = createHarness(1)
    const core = harness.open()
    await expect(follow(core, { agree: 2 }).next()).rejects.toMatchObject({
      code: 'invalid-argument',
      argument: 'agree',
    })
  })

  it.each(['a block', 'a transaction', 'an amount'])('never delivers %s that one node alone has', async (what) => {
    const harness = createHarness(2)
    const { liar, honest } = nodesOf(harness)
    liar.grow(20)
    honest[0]!.adopt(liar.sink)
    if (what === 'a block') liar.grow(1, { work: 1_000n })
    else
      liar.corruptPage = (page) => ({
        ...page,
        chainBlockAcceptedTransactions: page.chainBlockAcceptedTransactions.map((block, at, { length }) =>
          at < length - 1
            ? block
            : {
                ...block,
                acceptedTransactions:
                  what === 'a transaction'
                    ? []
                    : block.acceptedTransactions.map((one) => ({
                        ...one,
                        outputs: one.outputs.map((output) => ({ ...output, value: 8n })),
                      })),
              },
        ),
      })
    const core = harness.open()
    const batches = follow(core, { agree: 2 })
    const last = what === 'a block' ? 20 : 19
    const delivered = await take(batches, harness.clock, () => true)
    expect(hashesOf(delivered)).toEqual(honest[0]!.chain.slice(1, last + 1).map(({ hash }) => hash))
    liar.corruptPage = (page) => page
    const next = settle(batches.next(), harness.clock)
    await harness.clock.advance(2_000)
    honest[0]!.grow(1)
    liar.moveTo(honest[0]!.sink)
    expect(hashesOf([(await next).value!])[0]).toBe(honest[0]!.chain[last + 1]!.hash)
  })

  it('delivers nothing while one of two cannot be reached', async () => {
    const harness = createHarness(2)
    const { liar, honest } = nodesOf(harness)
    liar.grow(20)
    honest[0]!.adopt(liar.sink)
    harness.down.add(honest[0]!)
    const core = harness.open()
    let isDelivered = false
    const next = follow(core, { agree: 2 })
      .next()
      .finally(() => (isDelivered = true))
    await harness.clock.advance(60_000)
    expect(isDelivered).toBe(false)
    harness.down.delete(honest[0]!)
    expect(hashesOf([(await settle(next, harness.clock)).value!])).toHaveLength(20)
  })
})
