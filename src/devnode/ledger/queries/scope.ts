import type { RpcMethod, RpcRequest, RpcResponse } from '../../../node/messages/records.js'
import type { Answer } from '../answer.js'
import type { Network } from '../network.js'
import type { Templates } from '../steps/template.js'

/** What a call is answered from. */
export interface Scope {
  readonly network: Network
  readonly templates: Templates
  readonly nodeVersion: string
  /** A node in safe mode takes no orphans, and no long windows. */
  readonly rpcMode: 'safe' | 'unsafe'
  /** Unix milliseconds. */
  readonly now: number
}

/** One call's answer. */
export type Query<M extends RpcMethod> = (scope: Scope, request: RpcRequest<M>) => Answer<RpcResponse<M>>

/** A family of them. */
export type Queries<M extends RpcMethod> = { readonly [K in M]: Query<K> }

export const unknownHeader = (hash: string): string => `cannot find header ${hash}`
