import { QUERY_NAMES } from './names.js'
import type { RpcQueries } from './rpc-queries.js'

type Query = (...args: unknown[]) => Promise<unknown>

/**
 * All queries. Their code is loaded with the first call. Where loading fails, the call rejects with `ChainError`
 * (`code-not-loaded`), and nothing is sent.
 */
export function deferQueries(load: () => Promise<RpcQueries>): RpcQueries {
  let loaded: RpcQueries | undefined
  const run = (queries: RpcQueries, name: keyof RpcQueries, args: unknown[]): Promise<unknown> =>
    (queries[name] as Query)(...args)
  const runOnceLoaded = async (name: keyof RpcQueries, args: unknown[]): Promise<unknown> =>
    run((loaded = await load()), name, args)
  const deferred = QUERY_NAMES.map((name) => {
    const query: Query = (...args) => (loaded ? run(loaded, name, args) : runOnceLoaded(name, args))
    return [name, query]
  })
  return Object.fromEntries(deferred) as RpcQueries
}
