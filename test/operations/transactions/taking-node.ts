import { transactionId } from '../../../src/model/transaction-id.js'
import type { Transaction } from '../../../src/model/transaction.js'
import type { SdkPort } from '../../../src/sdk/port.js'
import { KAS, alice, bob, coins } from './people.js'
import { createWorld, type Script, type ScriptedWorld } from './world.js'

/** A payment of one transaction. */
export const small = {
  entries: coins([30n * KAS]),
  outputs: [{ address: bob.address, amount: 10n * KAS }],
  changeAddress: alice.address,
  privateKeys: [alice.privateKey],
}

/** A hundred coins, and a payment of two transactions from them. */
export const hundred = coins(Array.from({ length: 100 }, () => KAS))
export const large = { ...small, entries: hundred, outputs: [{ address: bob.address, amount: 95n * KAS }] }

/** A node that takes transactions; `refusals` are what it does to the n-th instead, counted from 0. */
export function takingNode(
  sdk: SdkPort,
  refusals: Record<number, () => never> = {},
  script: Script = {},
): { world: ScriptedWorld; taken: Transaction[] } {
  const taken: Transaction[] = []
  let count = 0
  const world = createWorld(sdk, {
    submitTransaction: ({ transaction }) => {
      refusals[count++]?.()
      taken.push(transaction)
      return { transactionId: transactionId(transaction) }
    },
    ...script,
  })
  return { world, taken }
}
