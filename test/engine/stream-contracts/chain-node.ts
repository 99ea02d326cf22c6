import { asyncScheduler, map, of, throwError, type Observable } from 'rxjs'
import { createParts } from '../../../src/engine/core.js'
import type { CoreParts } from '../../../src/engine/core-parts.js'
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
import type { Respond } from '../../../src/testing/scripted-socket.js'
import { emptyBlock } from '../../empty-block.js'
import { turn } from '../../turn.js'

import '../../../src/streams/acceptance/resumed-batches.js' // loaded on demand otherwise, later than the tests settle

/** A hash or transaction id from a letter. */
export const hash = (letter: string): string => Buffer.from(letter).toString('hex').padEnd(64, '0')

/** The letter of a hash. */
export const letter = (hash: string): string => Buffer.from(hash, 'hex').toString().replaceAll('\0', '')

export const SERVER_INFO = {
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
  /** Removes so many chain blocks, then adds blocks; sends all notifications synchronously. */
  addBlocks(letters: string, removed?: number): void
  /** The response to `getBlocks`. */
  /** Sets the response to requests for senders: those of `getVirtualChainFromBlockV2` up to the sink. */
  onSenders(respond: Respond<'getVirtualChainFromBlockV2'>): void
  getBlocks(request: RpcRequest<'getBlocks'>): Observable<RpcResponse<'getBlocks'>>
  /** A block, by its letter. */
  block(letter: string): RpcBlock
  /** Prunes all blocks but the sink. */
  pruneHistory(): void
  /** Number of subscribe or unsubscribe calls for a notification. */
  count(method: 'subscribe' | 'unsubscribe', type: NotificationScope['type']): number
}

export function createChainNode(): ChainNode {
  const chain = ['0']
  const parents = new Map<string, string>()
  const pruned = new Set<string>()
  const node = createScriptedNode({ validate: false })

  const unknown = (method: 'getBlocks' | 'getVirtualChainFromBlock', block: string) =>
    throwError(() => new ChainRpcError(method, new Error(`cannot find header ${block}`), { code: 'remote' }))
  const after = (start: string): string[] => chain.slice(chain.indexOf(start) + 1)
  node.respond('getSink', () => of({ sink: hash(chain.at(-1) ?? '') }))
  node.respond('getSinkBlueScore', () => of({ blueScore: BigInt(chain.length) }))
  const getChain = ({ startHash }: { readonly startHash: string }): Observable<VirtualChainResult> => {
    const removed: string[] = []
    let at = letter(startHash)
    for (; !chain.includes(at); at = parents.get(at) ?? '0') removed.push(at)
    return pruned.has(at) ? below(startHash) : of(toChange(removed, after(at)))
  }
  const below = (block: string) => {
    const cause = new Error(`block ${block} is below the retention root`)
    return throwError(() => new ChainRpcError('getVirtualChainFromBlock', cause, { code: 'remote' }))
  }
  /** Later blocks are heavier: scores by age. */
  const toChainBlock = (name: string): RpcBlock => {
    const scoreOf = (at: string): bigint => (at === '0' ? 1n : 1n + scoreOf(parents.get(at) ?? '0'))
    const { header, ...block } = toBlock(name)
    const age = [...parents.keys()].indexOf(name) + 1
    const blueScore = scoreOf(name)
    const selectedParentHash = hash(parents.get(name) ?? '0')
    return {
      ...block,
      header: { ...header, blueScore, blueWork: (blueScore * 1000n + BigInt(age)).toString(16) },
      verboseData: { ...(block.verboseData ?? ({} as NonNullable<RpcBlock['verboseData']>)), selectedParentHash },
    }
  }
  node.respond('getVirtualChainFromBlock', getChain)
  const getBlocks: ChainNode['getBlocks'] = ({ lowHash = '' }) => {
    if (pruned.has(letter(lowHash))) return unknown('getBlocks', lowHash)
    const blocks = [letter(lowHash), ...after(letter(lowHash))].map(toBlock)
    return of({ blockHashes: blocks.map(({ header }) => header.hash), blocks })
  }
  node.respond('getBlocks', getBlocks)
  node.respond('getBlock', ({ hash: requested }) => of({ block: toChainBlock(letter(requested)) }))
  node.respond('getBlockDagInfo', () =>
    of({ pruningPointHash: hash(chain.find((name) => !pruned.has(name)) ?? '0') } as RpcResponse<'getBlockDagInfo'>),
  )
  let onSenders: Respond<'getVirtualChainFromBlockV2'> | undefined
  node.respond('getVirtualChainFromBlockV2', (request, socket) =>
    onSenders !== undefined && request.minConfirmationCount === undefined
      ? onSenders(request, socket)
      : getChain(request).pipe(
          map(({ removedChainBlockHashes, addedChainBlockHashes }) => ({
            removedChainBlockHashes,
            addedChainBlockHashes,
            chainBlockAcceptedTransactions: addedChainBlockHashes.map((added) => ({
              chainBlockHeader: { ...toChainBlock(letter(added)).header },
              acceptedTransactions: [{ inputs: [], outputs: [], verboseData: { transactionId: added } }],
            })),
          })),
        ),
  )
  return {
    ...node,
    getBlocks,
    onSenders: (respond) => (onSenders = respond),
    block: toBlock,
    addBlocks: (letters, removed = 0) => {
      const removedBlocks = chain.splice(chain.length - removed).reverse()
      const added = Array.from(letters)
      for (const name of added) {
        parents.set(name, chain.at(-1) ?? '0')
        chain.push(name)
      }
      for (const name of added) node.notify({ type: 'block-added', data: { block: toBlock(name) } })
      const score = BigInt(chain.length)
      node.notify({ type: 'sink-blue-score-changed', data: { sinkBlueScore: score } })
      node.notify({ type: 'virtual-daa-score-changed', data: { virtualDaaScore: score } })
      node.notify({ type: 'virtual-chain-changed', data: toChange(removedBlocks, added) })
    },
    pruneHistory: () => chain.slice(0, -1).forEach((name) => pruned.add(name)),
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
  acceptedTransactionIds: added.map((name) => ({
    acceptingBlockHash: hash(name),
    acceptedTransactionIds: [hash(name)],
  })),
})

const toBlock = (name: string): RpcBlock => emptyBlock(hash(name))

export interface Harness {
  readonly core: CoreParts
  readonly engine: ChainEngine
  readonly node: ChainNode
  /** Waits for all work that is due now. */
  readonly settle: () => Promise<void>
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
  return { core, engine: joinEngine(core), node, settle }
}

/** Some turns of the event loop, in which timers without delay run. */
async function settle(): Promise<void> {
  for (let turns = 0; turns < 5; turns++) await turn()
}
