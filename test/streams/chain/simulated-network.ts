import { NEVER } from 'rxjs'
import type {
  RpcBlock,
  RpcMethod,
  RpcRequest,
  RpcResponse,
  VirtualChainV2Result,
} from '../../../src/node/messages/records.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createScriptedNode, type ScriptedNode } from '../../../src/testing/scripted-node.js'

/** A block of a simplified network: it merges its parent only, and accepts the transactions that are named after it. */
export interface SimulatedBlock {
  readonly hash: string
  readonly parent: SimulatedBlock | null
  readonly height: number
  readonly blueScore: bigint
  readonly work: bigint
  readonly ids: readonly string[]
  /** Whether it accepts a script without an address. */
  readonly isNonStandard: boolean
}

export interface BlockOptions {
  /** How much the blue score rises. @default 1n */
  readonly score?: bigint
  readonly work?: bigint
  readonly isNonStandard?: boolean
  /** Accepted transactions. @default 1 */
  readonly transactions?: number
  /** Its hash, which is the id of its only transaction too. @default made up */
  readonly name?: string | undefined
}

/** The blocks of a network, shared by its nodes. */
export class SimulatedBlocks {
  readonly all = new Map<string, SimulatedBlock>()
  readonly genesis: SimulatedBlock
  #count = 0

  constructor(genesis?: string) {
    this.genesis = this.add(null, { transactions: 0, name: genesis })
  }

  add(
    parent: SimulatedBlock | null,
    { score = 1n, work = score, isNonStandard = false, transactions = 1, name }: BlockOptions = {},
  ): SimulatedBlock {
    const hash = name ?? hashOf(this.#count++)
    const block: SimulatedBlock = {
      hash,
      parent,
      height: parent === null ? 0 : parent.height + 1,
      blueScore: parent === null ? 0n : parent.blueScore + score,
      work: parent === null ? 1n : parent.work + work,
      ids: Array.from(
        { length: transactions },
        (_, at) => name ?? `${hash.slice(0, 60)}${String(at).padStart(4, '0')}`,
      ),
      isNonStandard,
    }
    this.all.set(hash, block)
    return block
  }
}

/** Spread over the hash space, so that neither of two siblings has the larger hash by age. */
const hashOf = (count: number): string =>
  (BigInt.asUintN(64, BigInt(count + 1) * 0x9e3779b97f4a7c15n) + (1n << 64n))
    .toString(16)
    .slice(1)
    .padEnd(64, count.toString(16))

export const isPreferred = (a: SimulatedBlock, b: SimulatedBlock): boolean =>
  a.work === b.work ? a.hash > b.hash : a.work > b.work

/** One node of the network: a chain, the headers it knows, and how it serves them. */
export class SimulatedNode {
  readonly node: ScriptedNode
  /** From genesis to the sink. */
  chain: SimulatedBlock[]
  /** Headers it knows, also those beyond its chain. */
  readonly headers = new Set<string>()
  /** Blue score below which blocks are pruned. */
  prunedBelow = 0n
  /** Chain blocks of a page, at most. */
  pageLimit = 2_480
  /** Called before each response, to change the node between two requests of one read; `lost` sends none. */
  beforeResponse: (method: RpcMethod) => 'lost' | undefined = () => undefined
  /** Called before the notification that the sink has changed. */
  beforeChange: () => void = () => undefined
  /** Changes each response of `getVirtualChainFromBlockV2`. */
  corruptPage: (page: VirtualChainV2Result) => VirtualChainV2Result = (page) => page
  /** Set to a version below 1.1 for a node without `getVirtualChainFromBlockV2`. */
  version = '2.1.0'

  constructor(
    readonly blocks: SimulatedBlocks,
    scheduler?: Parameters<typeof createScriptedNode>[0],
  ) {
    this.node = createScriptedNode({ ...scheduler, validate: false })
    this.chain = [blocks.genesis]
    this.headers.add(blocks.genesis.hash)
    const serve = <M extends RpcMethod>(method: M, respond: (request: RpcRequest<M>) => unknown): void =>
      this.node.respond(method, (request) =>
        this.beforeResponse(method) === 'lost' ? NEVER : (respond(request) as RpcResponse<M>),
      )
    serve('getSink', () => ({ sink: this.sink.hash }))
    serve('getSinkBlueScore', () => ({ blueScore: this.sink.blueScore }))
    serve('getBlocks', (request) => this.getBlocks(request))
    serve('getBlockDagInfo', () => ({ pruningPointHash: this.#pruningPoint().hash }))
    serve('getBlock', ({ hash }) => ({ block: this.block(hash) }))
    serve('getVirtualChainFromBlock', (request) => this.#chainFrom(request))
    serve('getVirtualChainFromBlockV2', (request) => this.corruptPage(this.page(request)))
    serve('getServerInfo', () =>
      fixtures.serverInfo({ serverVersion: this.version, virtualDaaScore: this.sink.blueScore }),
    )
  }

  get sink(): SimulatedBlock {
    return this.chain.at(-1) ?? this.blocks.genesis
  }

  /** Adds a branch on the block `depth` below the sink, notifies the change where it is heavier. */
  grow(length: number, { depth = 0, ...options }: BlockOptions & { readonly depth?: number } = {}): void {
    let tip = this.chain.at(-1 - Math.min(depth, this.chain.length - 1)) ?? this.blocks.genesis
    for (let count = 0; count < length; count++) tip = this.blocks.add(tip, options)
    this.adopt(tip)
  }

  /** Makes a block the sink, if it is heavier, and notifies the change. */
  adopt(tip: SimulatedBlock): void {
    if (isPreferred(tip, this.sink)) this.moveTo(tip)
  }

  /** Makes any block the sink and notifies the change. */
  moveTo(tip: SimulatedBlock): void {
    const before = this.chain
    this.chain = this.#pathTo(tip)
    const onChain = new Set(this.chain)
    const wasOnChain = new Set(before)
    this.beforeChange()
    this.node.notify({
      type: 'virtual-chain-changed',
      data: {
        removedChainBlockHashes: before
          .filter((block) => !onChain.has(block))
          .map(({ hash }) => hash)
          .reverse(),
        addedChainBlockHashes: this.chain.filter((block) => !wasOnChain.has(block)).map(({ hash }) => hash),
        acceptedTransactionIds: [],
      },
    })
  }

  /** Goes back to an older state: of its chain only, as during IBD, or of its headers too, as after a restore. */
  rewind(depth: number, headers: 'known' | 'unknown'): void {
    const sink = this.chain.at(-1 - Math.min(depth, this.chain.length - 1)) ?? this.blocks.genesis
    this.node.drop('restart')
    if (headers === 'unknown') this.headers.clear()
    this.chain = this.#pathTo(sink)
  }

  /** The chain up to a block; its headers become known. Walks only as far as the chains differ. */
  #pathTo(tip: SimulatedBlock): SimulatedBlock[] {
    const added: SimulatedBlock[] = []
    let at: SimulatedBlock | null = tip
    for (; at !== null && this.chain[at.height] !== at; at = at.parent) added.push(at)
    const kept = at === null ? [] : this.chain.slice(0, at.height + 1)
    const path = [...kept, ...added.reverse()]
    for (const { hash } of this.headers.size === 0 ? path : added) this.headers.add(hash)
    return path
  }

  /** The chain from a block on, as a node lists it. */
  getBlocks({ lowHash = this.blocks.genesis.hash }: RpcRequest<'getBlocks'>): RpcResponse<'getBlocks'> {
    const low = this.#known(lowHash)
    if (low.blueScore < this.prunedBelow) throw new Error(`cannot find header ${lowHash}`)
    const blockHashes = [low, ...this.#path({ startHash: lowHash }).added].map(({ hash }) => hash)
    return { blockHashes, blocks: blockHashes.map((hash) => this.block(hash)) }
  }

  #pruningPoint(): SimulatedBlock {
    return this.chain.find(({ blueScore }) => blueScore >= this.prunedBelow) ?? this.sink
  }

  #known(hash: string): SimulatedBlock {
    const block = this.blocks.all.get(hash)
    if (block === undefined || !this.headers.has(hash)) throw new Error(`cannot find header ${hash}`)
    return block
  }

  /** A block without the fields that are not read. */
  block(hash: string): RpcBlock {
    const block = this.#known(hash)
    const { parent, blueScore, work } = block
    const transactions = (parent === null ? [] : block.ids).map((id) => simulatedTransaction(id))
    return {
      header: {
        hash,
        blueScore,
        blueWork: work.toString(16).padStart(48, '0'),
        daaScore: blueScore,
        timestamp: blueScore * 100n,
      },
      transactions,
      verboseData: {
        hash,
        selectedParentHash: parent?.hash ?? hash,
        isChainBlock: this.chain[block.height] === block,
        transactionIds: block.ids,
        mergeSetBluesHashes: [hash], // simplified: what a block accepts is its own
        mergeSetRedsHashes: [],
      },
    } as unknown as RpcBlock
  }

  /** The chain after a block, as a node reports it. */
  #path({ startHash, minConfirmationCount = 0n }: { startHash: string; minConfirmationCount?: bigint | undefined }): {
    removed: SimulatedBlock[]
    added: SimulatedBlock[]
  } {
    const start = this.#known(startHash)
    if (start.blueScore < this.prunedBelow) throw new Error(`start hash ${startHash} is below the retention root`)
    const removed: SimulatedBlock[] = []
    let at = start
    for (; this.chain[at.height] !== at && at.parent !== null; at = at.parent) removed.push(at)
    const page = this.chain.slice(at.height + 1, at.height + 1 + this.pageLimit)
    const isDeep = ({ blueScore }: SimulatedBlock): boolean =>
      minConfirmationCount === 0n || this.sink.blueScore - blueScore > minConfirmationCount
    return { removed, added: page.filter(isDeep) }
  }

  #chainFrom(request: RpcRequest<'getVirtualChainFromBlock'>): RpcResponse<'getVirtualChainFromBlock'> {
    const { removed, added } = this.#path(request)
    return {
      removedChainBlockHashes: removed.map(({ hash }) => hash),
      addedChainBlockHashes: added.map(({ hash }) => hash),
      acceptedTransactionIds: added.map(({ hash, ids }) => ({
        acceptingBlockHash: hash,
        acceptedTransactionIds: [...ids],
      })),
    }
  }

  /** The chain after a block with what it accepts, without the fields that are not read. */
  page(request: RpcRequest<'getVirtualChainFromBlockV2'>): VirtualChainV2Result {
    const { removed, added } = this.#path(request)
    if (added.some(({ isNonStandard }) => isNonStandard)) throw new Error('The address is invalid')
    return {
      removedChainBlockHashes: removed.map(({ hash }) => hash),
      addedChainBlockHashes: added.map(({ hash }) => hash),
      chainBlockAcceptedTransactions: added.map(({ hash, blueScore, work, ids }) => ({
        chainBlockHeader: {
          hash,
          blueScore,
          blueWork: work.toString(16),
          daaScore: blueScore,
          timestamp: blueScore * 100n,
        },
        acceptedTransactions: ids.map((id) => simulatedTransaction(id)),
      })) as unknown as VirtualChainV2Result['chainBlockAcceptedTransactions'], // without the fields that are not read
    }
  }
}

/** The address of every output. */
export const SIMULATED_ADDRESS = 'kaspasim:qz46h2at4w46h2at4w46h2at4w46h2at4w46h2at4w46h2at4w46kp6lfc8l6'
const SCRIPT = { version: 0, script: `20${'ab'.repeat(32)}ac` }

/** A payment of 9 from an output of 10. Fields of both kinds of records; each reader takes its own. */
function simulatedTransaction(id: string): object {
  return {
    version: 0,
    inputs: [
      {
        previousOutpoint: { transactionId: id, index: 1 },
        verboseData: { utxoEntry: { amount: 10n, scriptPublicKey: SCRIPT } },
      },
    ],
    outputs: [{ value: 9n, scriptPublicKey: SCRIPT }],
    subnetworkId: '0'.repeat(40),
    payload: '',
    mass: 5n,
    verboseData: { transactionId: id, computeMass: 7n },
  }
}
