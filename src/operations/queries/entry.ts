import type { ChainNetwork } from '../../model/network.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { RpcQueries } from './rpc-queries.js'

/** A query that is one call: all but `getInfo`. */
export type SimpleQuery = Exclude<keyof RpcQueries & RpcMethod, 'getInfo'>

/** What a query resolves to. */
export type QueryResult<Q extends SimpleQuery> = Awaited<ReturnType<RpcQueries[Q]>>

/** How a query becomes a request, and the answer its result. */
export interface QueryEntry<Q extends SimpleQuery> {
  /** How many arguments stand before the options. */
  readonly takes: number
  /** Throws `ChainError` (`invalid-argument`). */
  readonly request: (network: ChainNetwork, ...args: Parameters<RpcQueries[Q]>) => RpcRequest<Q>
  readonly result: (response: RpcResponse<Q>, ...args: Parameters<RpcQueries[Q]>) => QueryResult<Q>
}

export type QueryTable = { readonly [Q in SimpleQuery]: QueryEntry<Q> }

/** The request of a query that has nothing to say. */
export const nothing = (): Record<string, never> => ({})

/** The result where the wire's record is what callers get. */
export const asItIs = <T>(response: T): T => response

/** The result where the answer says nothing. */
export const silence = (): void => undefined
