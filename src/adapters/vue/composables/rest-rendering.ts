import { hashQueryKey, type QueryKey } from '../../../query/key.js'
import type { RenderedResult } from '../../../query/state.js'
import { fromRendered, toRendered, type RenderedFailure } from '../../../rest/rendered-failure.js'
import type { RestCache } from '../../../rest/requests/store.js'

/** The server's result of a query, which the REST cache brings to the browser; undefined where there is none. */
export function findRendered<T>(cache: RestCache, scope: string, key: QueryKey): RenderedResult<T> | undefined {
  const name = toName(scope, key)
  const data = cache.peek(name)
  if (data !== undefined) return { data: data.kept.value as T, updatedAt: data.at } // stored under this key
  const failure = cache.peek(toFailureName(name))
  return failure && { error: fromRendered(failure.kept.value as RenderedFailure), updatedAt: failure.at }
}

/** Stores the server's result of a query. */
export function storeRendered<T>(cache: RestCache, scope: string, key: QueryKey, result: RenderedResult<T>): void {
  const name = toName(scope, key)
  const entry =
    'error' in result
      ? { key: toFailureName(name), value: toRendered(result.error) }
      : { key: name, value: result.data }
  const kept = { value: entry.value, fresh: 0, limit: Infinity, revalidate: 0 }
  cache.put([{ key: entry.key, kept, at: result.updatedAt }])
}

const toName = (scope: string, key: QueryKey): string => `query ${scope} ${hashQueryKey(key)}`
const toFailureName = (name: string): string => `failed ${name}`
