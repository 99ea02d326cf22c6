import { asyncScheduler } from 'rxjs'
import { createParts } from '../../../src/engine/core.js'
import type { CoreParts } from '../../../src/engine/core-parts.js'
import { joinEngine, type ChainEngine } from '../../../src/engine/engine.js'
import type { NotificationScope, RpcBlock, RpcRequest, RpcResponse } from '../../../src/node/messages/records.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import type { ScriptedNode } from '../../../src/testing/scripted-node.js'
import type { Respond } from '../../../src/testing/scripted-socket.js'
import { SimulatedBlocks, SimulatedNode } from '../../streams/chain/simulated-network.js'
import { turn } from '../../turn.js'

import '../../../src/streams/acceptance/resumed-batches.js' // loaded on demand otherwise, later than the tests settle

/** A hash or transaction id from a letter. */
export const hash = (letter: string): string => Buffer.from(letter).toString('hex').padEnd(64, '0')

/** The letter of a hash. */
export const letter = (hash: string): string => Buffer.from(hash, 'hex').toString().replaceAll('\0', '')

/** A node with a chain of blocks named by letters, from `0` on; block `a` accepts transaction `a`. */
export interface ChainNode extends ScriptedNode {
  /** Removes so many chain blocks, then adds blocks; sends all notifications synchronously. */
  addBlocks(letters: string, removed?: number): void
  /** Sets the response to requests for senders: those of `getVirtualChainFromBlockV2` up to the sink. */
  onSenders(respond: Respond<'getVirtualChainFromBlockV2'>): void
  /** The response to `getBlocks`. */
  getBlocks(request: RpcRequest<'getBlocks'>): RpcResponse<'getBlocks'>
  /** A block, by its letter. */
  block(letter: string): RpcBlock
  /** Prunes all blocks but the sink. */
  pruneHistory(): void
  /** Number of subscribe or unsubscribe calls for a notification. */
  count(method: 'subscribe' | 'unsubscribe', type: NotificationScope['type']): number
}

export function createChainNode(): ChainNode {
  const blocks = new SimulatedBlocks(hash('0'))
  const simulated = new SimulatedNode(blocks)
  const { node } = simulated
  let age = 0n
  return {
    ...node,
    onSenders: (respond) =>
      node.respond('getVirtualChainFromBlockV2', (request, socket) =>
        request.minConfirmationCount === undefined ? respond(request, socket) : simulated.page(request),
      ),
    getBlocks: (request) => simulated.getBlocks(request),
    block: (name) => simulated.block(hash(name)),
    addBlocks: (letters, removed = 0) => {
      let tip = simulated.chain.at(-1 - removed)!
      for (const name of letters) tip = blocks.add(tip, { name: hash(name), work: 1_000n + age++ }) // heavier by age
      simulated.beforeChange = () => {
        for (const name of letters) node.notify({ type: 'block-added', data: { block: simulated.block(hash(name)) } })
        node.notify({ type: 'sink-blue-score-changed', data: { sinkBlueScore: tip.blueScore } })
        node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: tip.blueScore } })
      }
      simulated.moveTo(tip)
    },
    pruneHistory: () => (simulated.prunedBelow = simulated.sink.blueScore),
    count: (method, type) =>
      node.calls.filter((call) => {
        const { scope } = call.request as { readonly scope?: NotificationScope }
        return call.method === method && scope?.type === type
      }).length,
  }
}

export interface Harness {
  readonly core: CoreParts
  readonly engine: ChainEngine
  readonly node: ChainNode
  /** Waits for all work that is due now. */
  readonly settle: () => Promise<void>
  close(): Promise<void>
}

/** A connected engine on such a node; retries after 1 ms. */
export async function createHarness(): Promise<Harness> {
  const node = createChainNode()
  const platform = createTestPlatform({ scheduler: asyncScheduler, frame: 0 })
  const core = createParts({
    network: 'simnet',
    reconnect: { baseDelay: 1, jitter: 0 },
    heartbeat: false,
    ports: { node, platform },
  })
  await core.connection.connect()
  const engine = joinEngine(core)
  return { core, engine, node, settle, close: () => engine.dispose() }
}

/** Some turns of the event loop, in which timers without delay run. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn()
}
