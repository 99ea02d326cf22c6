import type { NetworkParams } from '../../model/network.js'
import type { RpcBlock, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { Answer, Ledger, LedgerMethod, LedgerTransaction } from '../ledger/ledger.js'
import { BLOCKS_PER_SECOND } from '../ledger/params.js'
import { internalError } from './http/reply.js'
import type { Memory } from './memory.js'

/** What the node behind the indexer says of itself. */
export interface About {
  readonly version: string
  readonly p2pId: string
}

/** The ledger, as the endpoints look at it: the node's answers and the indexer's memory at one moment. */
export interface Indexer {
  readonly network: NetworkParams
  readonly about: About
  readonly ledger: Ledger
  readonly memory: Memory
  /** Unix milliseconds. */
  readonly now: number
  /** The node's answer, or its refusal. */
  try<M extends LedgerMethod>(method: M, request: RpcRequest<M>): Answer<RpcResponse<M>>
  /** The node's answer; where it refuses, the server fails. */
  ask<M extends LedgerMethod>(method: M, request: RpcRequest<M>): RpcResponse<M>
  /** A block, its transactions left out unless they are asked for; undefined where the node does not know it. */
  block(hash: string, includeTransactions?: boolean): RpcBlock | undefined
  transaction(id: string): LedgerTransaction | undefined
  /** The blue score of the sink. */
  tip(): number
}

export function createIndexer(ledger: Ledger, memory: Memory, about: About, now: number): Indexer {
  const indexer: Indexer = {
    network: ledger.network,
    about,
    ledger,
    memory,
    now,
    try: (method, request) => ledger.answer(method, request, now),
    ask(method, request) {
      const answer = ledger.answer(method, request, now)
      if (!answer.ok) throw internalError()
      return answer.value
    },
    block: (hash, includeTransactions = false) => blockOf(ledger, hash, includeTransactions, now),
    transaction: (id) => ledger.history.transaction(id),
    tip: () => Number(indexer.ask('getSinkBlueScore', {}).blueScore),
  }
  return indexer
}

export function blockOf(ledger: Ledger, hash: string, includeTransactions: boolean, now: number): RpcBlock | undefined {
  const answer = ledger.answer('getBlock', { hash, includeTransactions }, now)
  return answer.ok ? answer.value.block : undefined
}

/** Milliseconds since a blue score was reached, or until it will be, as far as the rate of blocks tells. */
export const ageOfBlueScore = (indexer: Indexer, blueScore: number): number =>
  (Math.abs(indexer.tip() - blueScore) / BLOCKS_PER_SECOND) * 1000
