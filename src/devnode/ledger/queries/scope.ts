import type { RpcMethod, RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { RpcResult } from '../result.js'
import type { LedgerBlock } from '../block.js'
import type { Network } from '../network.js'
import type { Templates } from '../steps/mine.js'

export interface Scope {
  readonly network: Network
  readonly templates: Templates
  readonly nodeVersion: string
  /** In safe mode, orphans and long windows are rejected. */
  readonly rpcMode: 'safe' | 'unsafe'
  /** Unix milliseconds. */
  readonly now: number
}

export type Query<M extends RpcMethod> = (scope: Scope, request: RpcRequest<M>) => RpcResult<RpcResponse<M>>

export type Queries<M extends RpcMethod> = { readonly [K in M]: Query<K> }

/** A block or header that the node knows; undefined for a pruned one. */
export const findBlock = ({ state, retention }: Network, hash: string): LedgerBlock | undefined =>
  retention.pruned.has(hash) ? undefined : state.dag.find(hash)

export const unknownHeader = (hash: string): string => `cannot find header ${hash}`
