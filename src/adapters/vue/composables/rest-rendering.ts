import { getCurrentInstance, useId } from 'vue'
import type { RestCache } from '../../../rest/asking/store.js'
import { toKeyText, type RestQueryState } from '../../../rest/query.js'
import { fromRendered, toRendered, type RenderedFailure } from '../../../rest/rendered-failure.js'

/** What a server has rendered of a query, as the browser finds it. */
export interface RestRendering<Value, T> {
  readonly known: (value: Value) => T | undefined
  readonly failed: (value: Value) => Error | undefined
  /** Hands on, from the server, what has settled. */
  readonly keep: (value: Value, state: RestQueryState<T>) => void
}

/**
 * A query's way from a server's rendering to the browser: through the cache that is handed on, under keys that are equal
 * on both sides, by the place of the call.
 */
export function useRestRendering<Value, T>(cache: RestCache): RestRendering<Value, T> {
  const id = getCurrentInstance() ? useId() : 'nowhere'
  const answerKey = (value: Value): string => `query ${id} ${toKeyText(value) ?? ''}`
  const failureKey = (value: Value): string => `failed ${answerKey(value)}`
  const find = (key: string): unknown => cache.peek(key)?.kept.value

  return {
    known: (value) => find(answerKey(value)) as T | undefined, // what `keep` put there
    failed(value) {
      const failure = find(failureKey(value)) as RenderedFailure | undefined // as well
      return failure && fromRendered(failure)
    },
    keep(value, { data, error }) {
      if (data !== undefined) cache.put([toEntry(answerKey(value), data)])
      else if (error !== null) cache.put([toEntry(failureKey(value), toRendered(error))])
    },
  }
}

const toEntry = (key: string, value: unknown) => ({
  key,
  kept: { value, fresh: 0, limit: Infinity, revalidate: 0 },
  at: Date.now(),
})
