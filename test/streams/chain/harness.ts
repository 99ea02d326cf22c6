import { onTestFinished } from 'vitest'
import { createParts } from '../../../src/engine/core.js'
import type { CoreParts } from '../../../src/engine/core-parts.js'
import type { ChainEngineOptions } from '../../../src/engine/options.js'
import type { ChainBatch } from '../../../src/streams/chain/batch.js'
import type { ChainBatches } from '../../../src/streams/chain/follow-chain.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { SimulatedBlocks, SimulatedNode } from './simulated-network.js'
import { SteppedClock } from './stepped-clock.js'

// loaded on demand otherwise, while virtual time goes on
import '../../../src/engine/node-connection.js'
import '../../../src/streams/acceptance/resumed-batches.js'
import '../../../src/streams/chain/follow-chain.js'
import '../../../src/streams/session/establish.js'
import '../../../src/streams/transfers/follow-transfers.js'

/** Nodes of one network under virtual time, and engines that connect to them. */
export interface ChainHarness {
  readonly clock: SteppedClock
  readonly blocks: SimulatedBlocks
  /** Served at `ws://node-0`, `ws://node-1`, … in order of preference. */
  readonly nodes: readonly SimulatedNode[]
  /** Nodes that refuse connections. */
  readonly down: Set<SimulatedNode>
  /** Disposed with the test, if not before. */
  open(options?: ChainEngineOptions): CoreParts
}

export function createHarness(count = 1): ChainHarness {
  const clock = new SteppedClock()
  const blocks = new SimulatedBlocks()
  const nodes = Array.from({ length: count }, () => new SimulatedNode(blocks, { scheduler: clock }))
  const urls = nodes.map((_, at) => `ws://node-${at}:17510`)
  const down = new Set<SimulatedNode>()
  const platform = createTestPlatform({ scheduler: clock, frame: 2, random: () => 0.5 })
  const [first] = nodes
  if (first === undefined) throw new Error('A harness has a node')
  return {
    clock,
    blocks,
    nodes,
    down,
    open: (options = {}) => {
      const core = createParts({
        network: 'simnet',
        urls,
        heartbeat: false,
        reconnect: { maxRetries: Infinity },
        ports: {
          platform,
          node: {
            dial: (endpoint) => {
              const node = nodes[urls.findIndex((url) => endpoint.url.startsWith(url))] ?? first
              if (down.has(node)) throw new Error('The node is down')
              return node.node.dial(endpoint)
            },
          },
        },
        ...options,
      })
      onTestFinished(() => core.dispose())
      return core
    },
  }
}

/** The next batches of an iteration while virtual time advances, until one satisfies `isLast` or `ms` have passed. */
export async function take<Block>(
  batches: ChainBatches<Block>,
  clock: SteppedClock,
  isLast: (batch: ChainBatch<Block>) => boolean = ({ isLive }) => isLive,
  ms = 60_000,
): Promise<ChainBatch<Block>[]> {
  const taken: ChainBatch<Block>[] = []
  const deadline = clock.frame + ms
  while (taken.length === 0 || !isLast(taken.at(-1)!)) {
    const batch = await settle(batches.next(), clock, deadline)
    if (batch.done === true) break
    taken.push(batch.value)
  }
  return taken
}

/** The result of a promise while virtual time advances until `deadline`. */
export async function settle<T>(promise: Promise<T>, clock: SteppedClock, deadline = clock.frame + 60_000): Promise<T> {
  let state: 'pending' | 'settled' = 'pending'
  const isPending = (): boolean => state === 'pending'
  const settled = promise.finally(() => (state = 'settled'))
  settled.catch(() => undefined) // handled by the caller
  while (isPending() && clock.frame < deadline) await clock.advance(10)
  if (isPending()) throw new Error(`Nothing happened until ${deadline} ms`)
  return settled
}
