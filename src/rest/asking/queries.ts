import { Query, QueryCache, type QueryClient, type QueryKey } from '@tanstack/query-core'

/** query-core's cache, and a way to its queries. */
export interface Queries {
  readonly cache: QueryCache
  /** The query of this key, made where there is none. */
  of(key: string): Query
}

/**
 * All that a query asks of its client is the cache. A whole QueryClient would add mutations and defaults: 2 kB that are
 * never used here.
 */
export function createQueries(): Queries {
  const cache = new QueryCache()
  const client: Pick<QueryClient, 'getQueryCache'> = { getQueryCache: () => cache }

  function add(key: string): Query {
    // expiry.ts sees to it that queries leave, so that theirs is no timer
    const queryKey: QueryKey = [key]
    const query = new Query({ client: client as QueryClient, queryKey, queryHash: key, options: { gcTime: Infinity } })
    cache.add(query)
    return query
  }

  return { cache, of: (key) => cache.get(key) ?? add(key) }
}
