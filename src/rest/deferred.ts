import { lazyMethods } from '../loading/lazy-methods.js'
import type { RestOperations } from './endpoints/operations.js'
import { OPERATION_NAMES } from './names.js'

/** All operations, whose code is loaded with the first call. `check` runs with each call and may throw, which rejects the call. */
export function deferOperations(load: () => Promise<RestOperations>, check: () => void): RestOperations {
  const checked = async <T>(_: string, run: () => Promise<T>): Promise<T> => {
    check()
    return run()
  }
  return {
    ...lazyMethods(OPERATION_NAMES, load, checked),
    async *getFullTransactionsByAddressPages(...args) {
      check()
      yield* (await load()).getFullTransactionsByAddressPages(...args)
    },
  }
}
