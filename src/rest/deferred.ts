import type { RestOperations } from './endpoints/operations.js'
import { OPERATION_NAMES } from './names.js'

/**
 * All operations; each call awaits `operations()`, which may still have to load them. `check` runs with the call itself and
 * may throw, which rejects the call.
 */
export function deferOperations(operations: () => Promise<RestOperations>, check = noCheck): RestOperations {
  const calls = OPERATION_NAMES.map((name) => [
    name,
    async (...args: unknown[]) => {
      check()
      return ((await operations())[name] as Operation)(...args)
    },
  ])
  return {
    ...(Object.fromEntries(calls) as Omit<RestOperations, 'getFullTransactionsByAddressPages'>),
    async *getFullTransactionsByAddressPages(...args) {
      check()
      yield* (await operations()).getFullTransactionsByAddressPages(...args)
    },
  }
}

const noCheck = (): void => undefined

type Operation = (...args: unknown[]) => Promise<unknown>
