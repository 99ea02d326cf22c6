import { expect } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, alice, bob, utxos } from './accounts.js'
import { createScriptedDependencies } from './scripted-dependencies.js'

/** A valid payment. */
export const validSettings: CreateTransactionSettings = {
  entries: utxos([100n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
}

/** Planning needs no SDK. */
export const noSdk = (): never => {
  throw new Error('planning used the SDK')
}

export const paying = (amount: bigint, address = bob.address): Partial<CreateTransactionSettings> => ({
  outputs: [{ address, amount }],
})

/** The error of valid settings with `invalid` ones; expects only `expectedCalls` and no reservation. */
export async function planningError(invalid: object, expectedCalls: readonly string[] = []): Promise<ChainError> {
  const deps = createScriptedDependencies(noSdk)
  const { estimate, create } = createTransactions(deps)
  const settings = { ...validSettings, ...invalid }
  const errors = await Promise.all(
    [estimate(settings), create(settings)].map((each) => each.catch((error: unknown) => error)),
  )
  expect(errors.map(String)).toEqual([String(errors[0]), String(errors[0])])
  expect(new Set(deps.calls)).toEqual(new Set(expectedCalls))
  expect(deps.reserved.size).toBe(0)
  const [error] = errors
  if (!(error instanceof ChainError)) throw new Error(`not a ChainError: ${String(error)}`)
  return error
}
