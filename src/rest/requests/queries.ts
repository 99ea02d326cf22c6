import { Query, QueryCache, type QueryClient, type QueryKey } from '@tanstack/query-core'

/** query-core's cache and its queries. */
export interface Queries {
  readonly cache: QueryCache
  /** The query of this key, created if missing. */
  of(key: string): Query
}

/**
 * A query needs only the cache of its client. A whole QueryClient would add unused mutations and defaults (2 kB).
 */
export function createQueries(): Queries {
  const cache = new QueryCache()
  const client: Pick<QueryClient, 'getQueryCache'> = { getQueryCache: () => cache }

  function add(key: string): Query {
    // gcTime: expiry.ts removes queries
    const queryKey: QueryKey = [key]
    const query = new Query({ client: client as QueryClient, queryKey, queryHash: key, options: { gcTime: Infinity } })
    cache.add(query)
    return query
  }

  return { cache, of: (key) => cache.get(key) ?? add(key) }
}
