import type { RestOperations } from './endpoints/operations.js'
import { OPERATION_NAMES } from './names.js'

/** All operations, though where they come from is only asked for with each call: they may still have to be loaded. */
export function deferOperations(operations: () => Promise<RestOperations>): RestOperations {
  const calls = OPERATION_NAMES.map((name) => [
    name,
    async (...args: unknown[]) => ((await operations())[name] as Operation)(...args),
  ])
  return {
    ...(Object.fromEntries(calls) as Omit<RestOperations, 'getFullTransactionsByAddressPages'>),
    async *getFullTransactionsByAddressPages(...args) {
      yield* (await operations()).getFullTransactionsByAddressPages(...args)
    },
  }
}

type Operation = (...args: unknown[]) => Promise<unknown>
