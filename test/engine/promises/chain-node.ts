import { asyncScheduler, of, throwError, type Observable } from 'rxjs'
import { createCore, type ChainCore } from '../../../src/engine/core.js'
import { joinEngine, type ChainEngine } from '../../../src/engine/engine.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type {
  NotificationScope,
  RpcBlock,
  RpcRequest,
  RpcResponse,
  VirtualChainResult,
} from '../../../src/node/messages/records.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../../src/testing/scripted-node.js'
import { emptyBlock } from '../../empty-block.js'
import { turn } from '../../turn.js'

/** A hash, a transaction id, out of a letter. */
export const hash = (letter: string): string => Buffer.from(letter).toString('hex').padEnd(64, '0')

/** The letter of a hash. */
export const letter = (hash: string): string => Buffer.from(hash.replace(/(00)+$/, ''), 'hex').toString()

/** What the node says of itself. */
export const GREETING = {
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'simnet',
  hasUtxoIndex: true,
  isSynced: true,
  virtualDaaScore: 0n,
}

/** A node with a chain of blocks named by letters; block `a` accepts transaction `a`. */
export interface ChainNode extends ScriptedNode {
  /** The chain grows by some blocks, once so many of its tips are gone. The node tells of it in one breath. */
  grow(letters: string, removed?: number): void
  /** What it answers to `getBlocks`. */
  pages(request: RpcRequest<'getBlocks'>): Observable<RpcResponse<'getBlocks'>>
  /** A block, by its letter. */
  block(letter: string): RpcBlock
  /** The node forgets all blocks but its sink. */
  forget(): void
  /** How often it was asked for, or to tell of, something. */
  count(method: 'subscribe' | 'unsubscribe', type: NotificationScope['type']): number
}

export function createChainNode(): ChainNode {
  const chain = ['0']
  const parents = new Map<string, string>()
  const forgotten = new Set<string>()
  const node = createScriptedNode()

  const unknown = (method: 'getBlocks' | 'getVirtualChainFromBlock', asked: string) =>
    throwError(() => new ChainRpcError(method, new Error(`cannot find header ${asked}`), { code: 'remote' }))
  const after = (start: string): string[] => chain.slice(chain.indexOf(start) + 1)
  node.answer('getSink', () => of({ sink: hash(chain.at(-1) ?? '') }))
  node.answer('getSinkBlueScore', () => of({ blueScore: BigInt(chain.length) }))
  node.answer('getVirtualChainFromBlock', ({ startHash }) => {
    const removed: string[] = []
    let at = letter(startHash)
    for (; !chain.includes(at); at = parents.get(at) ?? '0') removed.push(at)
    return forgotten.has(at) ? unknown('getVirtualChainFromBlock', startHash) : of(toChange(removed, after(at)))
  })
  const pages: ChainNode['pages'] = ({ lowHash = '' }) => {
    if (forgotten.has(letter(lowHash))) return unknown('getBlocks', lowHash)
    const blocks = [letter(lowHash), ...after(letter(lowHash))].map(toBlock)
    return of({ blockHashes: blocks.map(({ header }) => header.hash), blocks })
  }
  node.answer('getBlocks', pages)
  return {
    ...node,
    pages,
    block: toBlock,
    grow: (letters, removed = 0) => {
      const lost = chain.splice(chain.length - removed).reverse()
      const added = Array.from(letters)
      for (const one of added) {
        parents.set(one, chain.at(-1) ?? '0')
        chain.push(one)
      }
      for (const one of added) node.notify({ type: 'block-added', data: { block: toBlock(one) } })
      const score = BigInt(chain.length)
      node.notify({ type: 'sink-blue-score-changed', data: { sinkBlueScore: score } })
      node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: score } })
      node.notify({ type: 'virtual-chain-changed', data: toChange(lost, added) })
    },
    forget: () => chain.slice(0, -1).forEach((one) => forgotten.add(one)),
    count: (method, type) =>
      node.calls.filter((call) => {
        const { scope } = call.request as { readonly scope?: NotificationScope }
        return call.method === method && scope?.type === type
      }).length,
  }
}

const toChange = (removed: readonly string[], added: readonly string[]): VirtualChainResult => ({
  removedChainBlockHashes: removed.map(hash),
  addedChainBlockHashes: added.map(hash),
  acceptedTransactionIds: added.map((one) => ({
    acceptingBlockHash: hash(one),
    acceptedTransactionIds: [hash(one)],
  })),
})

const toBlock = (one: string): RpcBlock => emptyBlock(hash(one))

export interface Scene {
  readonly core: ChainCore
  readonly engine: ChainEngine
  readonly node: ChainNode
  /** Waits until everything that is due now has been done. */
  readonly settle: () => Promise<void>
}

/** An engine on such a node, connected; retries come at once. */
export async function createScene(): Promise<Scene> {
  const node = createChainNode()
  const platform = createTestPlatform({ scheduler: asyncScheduler, frame: 0 })
  const core = createCore({
    network: 'simnet',
    reconnect: { baseDelay: 1, jitter: 0 },
    heartbeat: false,
    ports: { node, platform },
  })
  await core.connection.connect()
  return { core, engine: joinEngine(core), node, settle }
}

/** Some turns of the event loop, in which timers of no delay have run. */
async function settle(): Promise<void> {
  for (let round = 0; round < 5; round++) await turn()
}
