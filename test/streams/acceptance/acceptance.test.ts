import { describe, expect, it } from 'vitest'
import { type CoreParts, feature } from '../../../src/engine/core-parts.js'
import { acceptance } from '../../../src/engine/features/acceptance.js'
import { chain } from '../../../src/engine/features/chain.js'
import type { RpcMethod } from '../../../src/node/messages/records.js'
import type { AcceptanceChange, AcceptedTransactionsOptions, Gap } from '../../../src/streams/acceptance/acceptance.js'
import { createHarness, take, type ChainHarness } from '../chain/harness.js'
import type { SimulatedNode } from '../chain/simulated-network.js'

function nodeOf({ nodes: [node] }: ChainHarness): SimulatedNode {
  if (node === undefined) throw new Error('A harness has a node')
  return node
}

interface Recorder {
  readonly changes: AcceptanceChange[]
  /** Accepting block by accepted transaction, in order of acceptance. */
  readonly accepted: Map<string, string>
  readonly gaps: Gap[]
  readonly ends: unknown[]
  unsubscribe(): void
}

function record(core: CoreParts, options?: Pick<AcceptedTransactionsOptions, 'from'>): Recorder {
  const { accepted$, gaps$ } = feature(core, acceptance)
  const recorder = { changes: [], accepted: new Map(), gaps: [], ends: [] } as Omit<Recorder, 'unsubscribe'>
  gaps$.subscribe((gap) => recorder.gaps.push(gap))
  const subscription = accepted$(options).subscribe({
    next: (change) => {
      recorder.changes.push(change)
      if (change.type === 'accepted') recorder.accepted.set(change.transactionId, change.acceptingBlockHash)
      if (change.type === 'reverted') recorder.accepted.delete(change.transactionId)
    },
    error: (error: unknown) => recorder.ends.push(error),
    complete: () => recorder.ends.push('complete'),
  })
  return { ...recorder, unsubscribe: () => subscription.unsubscribe() }
}

const acceptedAbove = (node: SimulatedNode, height: number): [string, string][] =>
  node.chain.slice(height + 1).flatMap(({ ids, hash }) => ids.map((id): [string, string] => [id, hash]))

describe('acceptance changes', () => {
  it('follow the chain through reorgs, an outage and a failed connection, each once', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    const core = harness.open({ reconnect: { maxRetries: 1 } })
    const recorder = record(core)
    await harness.clock.advance(100)
    node.grow(5)
    await harness.clock.advance(100)
    node.grow(4, { depth: 2 })
    await harness.clock.advance(100)
    node.node.drop()
    node.grow(3, { depth: 1 })
    await harness.clock.advance(5_000)
    expect([...recorder.accepted]).toEqual(acceptedAbove(node, 0))
    harness.down.add(node)
    node.node.drop()
    node.grow(3, { depth: 1 })
    await harness.clock.advance(60_000)
    harness.down.delete(node)
    await core.connection.reconnect()
    await harness.clock.advance(5_000)
    expect([...recorder.accepted]).toEqual(acceptedAbove(node, 0))
    const twice = recorder.changes.filter((change) => change.type === 'rollback')
    expect(twice).toHaveLength(3)
    expect([recorder.gaps, recorder.ends]).toEqual([[], []])
    await core.dispose()
    expect(recorder.ends).toEqual(['complete'])
  })

  it('since a cursor begin with the rollback of what left the chain meanwhile', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(10)
    const core = harness.open()
    const [batch] = await take(feature(core, chain).followChain(), harness.clock)
    node.grow(3, { depth: 2 })
    const recorder = record(core, { from: batch?.cursor ?? '' })
    await harness.clock.advance(1_000)
    expect(recorder.changes[0]).toEqual({ type: 'rollback', hash: node.chain[8]?.hash, blueScore: 8n })
    expect([...recorder.accepted]).toEqual(acceptedAbove(node, 8))
    expect(recorder.changes.filter(({ type }) => type === 'reverted')).toEqual([])
  })

  it('since a block that the node has pruned continue at the sink, after a gap', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(100)
    const from = node.chain[5]?.hash ?? ''
    node.prunedBelow = 50n
    const core = harness.open()
    const recorder = record(core, { from })
    await harness.clock.advance(20_000)
    const sink = node.sink.hash
    expect(recorder.gaps).toMatchObject([
      { stream: 'accepted-transactions', from, to: sink, cause: { code: 'history-gap', reason: 'pruned' } },
    ])
    node.grow(2)
    await harness.clock.advance(100)
    expect([...recorder.accepted]).toEqual(acceptedAbove(node, 100))
  })

  it('need no subscription for gaps, and end it after the last subscriber has left', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    const core = harness.open()
    const types = (): readonly string[] => node.node.sockets.flatMap(({ subscriptions }) => subscriptions.types)
    feature(core, acceptance).gaps$.subscribe()
    await core.connection.connect()
    await harness.clock.advance(100)
    expect(types()).toEqual([])
    const recorder = record(core)
    await harness.clock.advance(100)
    expect(types()).toEqual(['virtual-chain-changed'])
    recorder.unsubscribe()
    await harness.clock.advance(5_000)
    expect([types(), feature(core, acceptance).chains()]).toEqual([[], []])
  })

  it('are not reverted by a node that is behind', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    node.grow(50)
    const { sink } = node
    const core = harness.open()
    const recorder = record(core)
    await harness.clock.advance(100)
    node.rewind(20, 'known')
    await harness.clock.advance(30_000)
    node.adopt(sink)
    node.grow(1)
    await harness.clock.advance(30_000)
    expect(recorder.changes.map(({ type }) => type)).toEqual(['accepted'])
  })

  it.each<RpcMethod>(['getSink', 'getBlock', 'getVirtualChainFromBlockV2'])(
    'catch up after a lost response to %s, with notifications',
    async (method) => {
      const harness = createHarness()
      const node = nodeOf(harness)
      const core = harness.open()
      const recorder = record(core)
      await harness.clock.advance(100)
      node.grow(5)
      await harness.clock.advance(100)
      let requests = 0
      node.beforeResponse = (called) => (called === method && requests++ === 0 ? 'lost' : undefined)
      node.grow(3, { depth: 1 }) // a reorg, which needs all methods
      await grow(harness, 120) // 12 s
      expect(requests).toBeGreaterThan(1)
      expect([...recorder.accepted]).toEqual(acceptedAbove(node, 0))
      expect(recorder.gaps).toEqual([])
    },
  )

  it('wait for a response that arrives late, without notifications', async () => {
    const harness = createHarness()
    const node = nodeOf(harness)
    const core = harness.open()
    record(core)
    await harness.clock.advance(100)
    const requests: RpcMethod[] = []
    node.beforeResponse = (method) => {
      requests.push(method)
      return 'lost'
    }
    node.grow(1)
    await harness.clock.advance(50_000)
    expect(requests).toEqual(['getVirtualChainFromBlockV2'])
  })
})

/** Ten chain blocks a second. */
async function grow({ nodes: [node], clock }: ChainHarness, blocks: number): Promise<void> {
  for (let count = 0; count < blocks; count++) {
    node?.grow(1)
    await clock.advance(100)
  }
}
