import { withFailedOutcome } from '../errors/with-outcome.js'
import { lazyMethods } from '../loading/lazy-methods.js'
import type { RestOperations } from './endpoints/operations.js'
import { OPERATION_NAMES } from './names.js'

/**
 * All operations, whose code is loaded with the first call. `check` runs with each call and may throw, which rejects
 * the call. The outcome of a submission that neither reaches is `unknown`: an earlier process may have sent the
 * transaction.
 */
export function deferOperations(load: () => Promise<RestOperations>, check: () => void): RestOperations {
  const checked = async <T>(run: () => Promise<T>): Promise<T> => {
    check()
    await Promise.resolve() // a `dispose()` of the same tick comes before the request
    return run()
  }
  return {
    ...lazyMethods(OPERATION_NAMES, load, (name, run) =>
      name === 'submitTransaction' ? withFailedOutcome('unknown', () => checked(run)) : checked(run),
    ),
    async *getFullTransactionsByAddressPages(...args) {
      check()
      yield* (await load()).getFullTransactionsByAddressPages(...args)
    },
  }
}
