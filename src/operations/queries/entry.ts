import type { ChainNetwork } from '../../model/network.js'
import type { RpcMethod, RpcRequest, RpcResponse } from '../../node/messages/records.js'
import type { RpcQueries } from './rpc-queries.js'

/** A query with a single call: all but `getInfo` and submissions. */
export type SimpleQuery = Exclude<
  keyof RpcQueries & RpcMethod,
  'getInfo' | 'submitTransaction' | 'submitTransactionReplacement'
>

/** What a query resolves to. */
export type QueryResult<Q extends SimpleQuery> = Awaited<ReturnType<RpcQueries[Q]>>

/** Maps a query to its request, and the response to its result. */
export interface QueryEntry<Q extends SimpleQuery> {
  /** Number of arguments before the options. */
  readonly argumentCount: number
  /** Throws `ChainError` (`invalid-argument`). */
  readonly request: (network: ChainNetwork, ...args: Parameters<RpcQueries[Q]>) => RpcRequest<Q>
  readonly result: (response: RpcResponse<Q>, ...args: Parameters<RpcQueries[Q]>) => QueryResult<Q>
}

export type QueryTable = { readonly [Q in SimpleQuery]: QueryEntry<Q> }

export const emptyRequest = (): Record<string, never> => ({})

export const unchanged = <T>(response: T): T => response

export const noResult = (): void => undefined
