import type { RestOperations } from './endpoints/operations.js'
import { OPERATION_NAMES } from './names.js'

/**
 * All operations at once, though what they do is loaded with the first call: the endpoints, the shapes of their records,
 * and the checks of their arguments are half of the client's weight. A load that fails rejects that call, and is tried
 * again by the next.
 */
export function deferOperations(load: () => Promise<RestOperations>): RestOperations {
  const loaded = onceLoaded(load)
  const calls = OPERATION_NAMES.map((name) => [
    name,
    async (...args: unknown[]) => ((await loaded())[name] as Operation)(...args),
  ])
  return {
    ...(Object.fromEntries(calls) as Omit<RestOperations, 'getFullTransactionsByAddressPages'>),
    async *getFullTransactionsByAddressPages(...args) {
      yield* (await loaded()).getFullTransactionsByAddressPages(...args)
    },
  }
}

type Operation = (...args: unknown[]) => Promise<unknown>

/** The same promise for everybody, unless it has failed. */
function onceLoaded<T>(load: () => Promise<T>): () => Promise<T> {
  let loading: Promise<T> | undefined
  return () =>
    (loading ??= load().catch((error: unknown) => {
      loading = undefined
      throw error
    }))
}
