import type { NetworkParams } from '../../model/network.js'
import type { RpcBlock, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { RpcResult, Ledger, LedgerMethod, LedgerTransaction } from '../ledger/ledger.js'
import { BLOCKS_PER_SECOND } from '../ledger/params.js'
import { internalError } from './http/reply.js'
import type { ChainIndex } from './chain-index.js'

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
