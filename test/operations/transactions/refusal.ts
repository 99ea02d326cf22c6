import { expect } from 'vitest'
import { ChainError } from '../../../src/errors/chain-error.js'
import type { CreateTransactionSettings } from '../../../src/operations/transactions/records.js'
import { createTransactions } from '../../../src/operations/transactions/transactions.js'
import { KAS, alice, bob, coins } from './people.js'
import { createWorld } from './world.js'

/** A payment with nothing wrong. */
export const good: CreateTransactionSettings = {
  entries: coins([100n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
}

/** Planning asks for no SDK. */
export const noSdk = (): never => {
  throw new Error('planning asked for the SDK')
}

export const paying = (amount: bigint, address = bob.address): Partial<CreateTransactionSettings> => ({
  outputs: [{ address, amount }],
})

/** The error of settings that are good but for `bad`; proves that the node was not asked and nothing reserved. */
export async function refusal(bad: object, asked: readonly string[] = []): Promise<ChainError> {
  const world = createWorld(noSdk)
  const { estimate, create } = createTransactions(world)
  const settings = { ...good, ...bad }
  const errors = await Promise.all(
    [estimate(settings), create(settings)].map((each) => each.catch((error: unknown) => error)),
  )
  expect(errors.map(String)).toEqual([String(errors[0]), String(errors[0])])
  expect(new Set(world.calls)).toEqual(new Set(asked))
  expect(world.held.size).toBe(0)
  const [error] = errors
  if (!(error instanceof ChainError)) throw new Error(`no error of ours: ${String(error)}`)
  return error
}
