import { HDKey } from '@scure/bip32'
import { expect, it } from 'vitest'
import { accountValueOf } from '../../../src/model/cosigning/account-value.js'
import { SPENDING, type AccountSpending, type SpendingAccount } from '../../../src/model/cosigning/spending-account.js'
import { accountInputs } from '../../../src/operations/transactions/account-inputs.js'
import { createTemplate, inputCapacity } from '../../../src/operations/transactions/plan/template.js'

const keys = Array.from(
  { length: 15 },
  (_, at) => HDKey.fromMasterSeed(new Uint8Array(32).fill(at + 1)).derive("m/45'/111111'/0'").publicExtendedKey,
)

function openAccount(threshold: number, count: number, ecdsa: boolean): SpendingAccount {
  const value = accountValueOf({ threshold, keys: keys.slice(0, count), own: keys[0], ecdsa }, 'simnet')
  const spending: AccountSpending = {
    value,
    pathOf: () => undefined,
    nextChange: () => ({ cosigner: 0, change: true, index: 0 }),
    takeChange: () => () => undefined,
  }
  return { network: 'simnet', [SPENDING]: spending }
}

it.each([
  [1, 2, false, 2_188n, 45],
  [2, 3, false, 3_288n, 30],
  [2, 3, true, 3_291n, 30],
  [3, 5, false, 5_420n, 18],
  [15, 15, false, 16_543n, 5],
])(
  'plans an input of %i of %i keys, ECDSA %s, with %i grams, of which %i fit beside a recipient',
  (threshold, count, ecdsa, mass, fit) => {
    const { input, sigOpCount, changeScript } = accountInputs(
      { account: openAccount(threshold, count, ecdsa), entries: [] },
      'simnet',
    )
    expect([input.mass, sigOpCount]).toEqual([mass, count])
    const recipient = { value: 100_000_000n, scriptPublicKey: changeScript() }
    expect(inputCapacity(createTemplate([recipient], changeScript(), { input }))).toBe(fit)
  },
)

it('refuses an account of another network', () => {
  expect(() => accountInputs({ account: openAccount(2, 3, false), entries: [] }, 'mainnet')).toThrow(
    expect.objectContaining({ code: 'invalid-argument', argument: 'account' }),
  )
})
