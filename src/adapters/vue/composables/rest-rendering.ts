import { getCurrentInstance, useId } from 'vue'
import type { ChainError } from '../../../errors/chain-error.js'
import type { RestCache } from '../../../rest/requests/store.js'
import { toKeyText, type RestQueryState } from '../../../rest/query.js'
import { fromRendered, toRendered, type RenderedFailure } from '../../../rest/rendered-failure.js'

/** Server-rendered results of a query. */
export interface RestRendering<Value, T> {
  readonly dataOf: (value: Value) => T | undefined
  readonly errorOf: (value: Value) => ChainError | undefined
  /** Stores the settled state on the server. */
  readonly store: (value: Value, state: RestQueryState<T>) => void
}

/** Transfers the results of a query from the server to the browser in the REST cache. `useId` makes the keys match. */
export function useRestRendering<Value, T>(cache: RestCache): RestRendering<Value, T> {
  const id = getCurrentInstance() ? useId() : 'nowhere'
  const dataKey = (value: Value): string => `query ${id} ${toKeyText(value) ?? ''}`
  const failureKey = (value: Value): string => `failed ${dataKey(value)}`
  const find = (key: string): unknown => cache.peek(key)?.kept.value

  return {
    dataOf: (value) => find(dataKey(value)) as T | undefined, // the type that `store` was called with
    errorOf(value) {
      const failure = find(failureKey(value)) as RenderedFailure | undefined
      return failure && fromRendered(failure)
    },
    store(value, { data, error }) {
      if (data !== undefined) cache.put([toEntry(dataKey(value), data)])
      else if (error !== null) cache.put([toEntry(failureKey(value), toRendered(error))])
    },
  }
}

const toEntry = (key: string, value: unknown) => ({
  key,
  kept: { value, fresh: 0, limit: Infinity, revalidate: 0 },
  at: Date.now(),
})
