import type { NetworkParams } from '../../model/network.js'
import type { RpcBlock, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { RpcResult, Ledger, LedgerMethod, LedgerTransaction } from '../ledger/ledger.js'
import { BLOCKS_PER_SECOND } from '../ledger/params.js'
import { internalError } from './http/reply.js'

/** The node of the indexer. */
export interface NodeInfo {
  readonly version: string
  readonly p2pId: string
}

/** What the endpoints read: the node's methods and the chain index, at one point in time. */
export interface Indexer {
  readonly network: NetworkParams
  readonly nodeInfo: NodeInfo
  readonly ledger: Ledger
  readonly chainIndex: ChainIndex
  /** Unix milliseconds. */
  readonly now: number
  /** Calls a method of the node; returns its response or its error. */
  tryCall<M extends LedgerMethod>(method: M, request: RpcRequest<M>): RpcResult<RpcResponse<M>>
  /** Calls a method of the node; an error makes the server fail. */
  call<M extends LedgerMethod>(method: M, request: RpcRequest<M>): RpcResponse<M>
  /** A block, by default without its transactions; undefined if the node does not have it. */
  block(hash: string, includeTransactions?: boolean): RpcBlock | undefined
  transaction(id: string): LedgerTransaction | undefined
  /** The blue score of the sink. */
  tip(): number
}

export function createIndexer(ledger: Ledger, chainIndex: ChainIndex, nodeInfo: NodeInfo, now: number): Indexer {
  const indexer: Indexer = {
    network: ledger.network,
    nodeInfo,
    ledger,
    chainIndex,
    now,
    tryCall: (method, request) => ledger.call(method, request, now),
    call(method, request) {
      const result = ledger.call(method, request, now)
      if (!result.ok) throw internalError()
      return result.value
    },
    block: (hash, includeTransactions = false) => blockOf(ledger, hash, includeTransactions, now),
    transaction: (id) => ledger.history.transaction(id),
    tip: () => Number(indexer.call('getSinkBlueScore', {}).blueScore),
  }
  return indexer
}

export function blockOf(ledger: Ledger, hash: string, includeTransactions: boolean, now: number): RpcBlock | undefined {
  const result = ledger.call('getBlock', { hash, includeTransactions }, now)
  return result.ok ? result.value.block : undefined
}

/** Milliseconds since a blue score was reached, or until it will be, estimated by the block rate. */
export const ageOfBlueScore = (indexer: Indexer, blueScore: number): number =>
  (Math.abs(indexer.tip() - blueScore) / BLOCKS_PER_SECOND) * 1000

/** A chain block and its accepted transactions. */
export interface ChainEntry {
  readonly hash: string
  readonly blueScore: number
  readonly daaScore: number
  /** Unix milliseconds. */
  readonly timestamp: number
  readonly bits: number
  readonly difficulty: number
  readonly transactionIds: readonly string[]
}

/** The indexed blocks. */
interface ChainIndex {
  /** From genesis to the sink. */
  chain(): readonly ChainEntry[]
  /** Chain blocks from the blue score `gte` to below `lt`. */
  between(gte: number, lt: number): readonly ChainEntry[]
  /** The merged blocks with a blue score, and all blue scores, ascending. */
  hashesAt(blueScore: number): readonly string[]
  blueScores(): readonly number[]
}

/** Catches up with the ledger on each read; rebuilds the index after a reorg. */
export function createChainIndex(ledger: Ledger, blockOf: (hash: string) => RpcBlock | undefined): ChainIndex {
  let state: IndexState = emptyState()

  function current(): IndexState {
    const hashes = ledger.expected.chain()
    const last = state.chain.at(-1)
    if (last !== undefined && hashes[state.chain.length - 1] !== last.hash) state = emptyState()
    if (state.chain.length < hashes.length) {
      const missing = ledger.expected.accepted().slice(state.chain.length)
      for (const { acceptingBlockHash, acceptedTransactionIds } of missing) {
        const block = blockOf(acceptingBlockHash)
        if (block !== undefined) addChainBlock(state, block, acceptedTransactionIds, blockOf)
      }
    }
    return state
  }

  return {
    chain: () => current().chain,
    between(gte, lt) {
      const { chain } = current()
      const start = indexOfBlueScore(chain, gte)
      return chain.slice(start, indexOfBlueScore(chain, lt))
    },
    hashesAt: (blueScore) => [...(current().byBlueScore.get(blueScore) ?? [])],
    blueScores: () => [...current().byBlueScore.keys()].sort((left, right) => left - right),
  }
}

interface IndexState {
  readonly chain: ChainEntry[]
  readonly byBlueScore: Map<number, Set<string>>
}

const emptyState = (): IndexState => ({ chain: [], byBlueScore: new Map() })

function addChainBlock(
  { chain, byBlueScore }: IndexState,
  { header, verboseData }: RpcBlock,
  transactionIds: readonly string[],
  blockOf: (hash: string) => RpcBlock | undefined,
): void {
  const { hash, bits } = header
  const blueScore = Number(header.blueScore)
  const [daaScore, timestamp] = [Number(header.daaScore), Number(header.timestamp)]
  chain.push({ hash, blueScore, daaScore, timestamp, bits, difficulty: verboseData?.difficulty ?? 0, transactionIds })
  for (const merged of [...(verboseData?.mergeSetBluesHashes ?? []), ...(verboseData?.mergeSetRedsHashes ?? [])]) {
    addHash(byBlueScore, Number(blockOf(merged)?.header.blueScore ?? 0n), merged)
  }
  addHash(byBlueScore, blueScore, hash)
}

function addHash(byBlueScore: Map<number, Set<string>>, blueScore: number, hash: string): void {
  byBlueScore.set(blueScore, (byBlueScore.get(blueScore) ?? new Set()).add(hash))
}

/** Index of the first chain block with at least this blue score, by binary search. */
function indexOfBlueScore(chain: readonly ChainEntry[], blueScore: number): number {
  let [low, high] = [0, chain.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((chain[middle]?.blueScore ?? 0) < blueScore) low = middle + 1
    else high = middle
  }
  return low
}
