import { partFor } from '../../loading/part-for.js'
import { QUERY_NAMES } from './names.js'
import type { RpcQueries } from './rpc-queries.js'

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * Every query, though how they are asked is only looked for with the first call: it may still have to be fetched. A fetch
 * that fails is the call's own failure, `ChainRpcError` (`failed`); nothing has been sent then.
 */
export function deferQueries(load: () => Promise<RpcQueries>): RpcQueries {
  let loaded: RpcQueries | undefined
  const ask = (queries: RpcQueries, name: keyof RpcQueries, args: unknown[]): Promise<unknown> =>
    (queries[name] as Query)(...args)
  const askOnceLoaded = async (name: keyof RpcQueries, args: unknown[]): Promise<unknown> =>
    ask((loaded = await partFor(name, load)), name, args)
  const deferred = QUERY_NAMES.map((name) => {
    const query: Query = (...args) => (loaded ? ask(loaded, name, args) : askOnceLoaded(name, args))
    return [name, query]
  })
  return Object.fromEntries(deferred) as RpcQueries
}
