import { expect, it } from 'vitest'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { SDK_OPERATIONS, VERIFICATION_OPERATIONS, deferKeys } from '../../../src/operations/keys/deferred.js'
import { createKeys } from '../../../src/operations/keys/keys.js'
import { verification } from '../../../src/engine/verification.js'
import { WITHOUT_SDK } from '../../../src/operations/keys/without-sdk.js'

const tooEarly = (operation: string): never => {
  throw new ChainNotReadyError(operation)
}

it('lists every operation as needing the SDK or not', () => {
  expect([...SDK_OPERATIONS, ...VERIFICATION_OPERATIONS, ...Object.keys(WITHOUT_SDK)].sort()).toEqual(
    Object.keys(createKeys(tooEarly)).sort(),
  )
})

it('operations without the SDK work before it is loaded; the others throw ChainNotReadyError', () => {
  const keys = deferKeys(tooEarly, () => Promise.resolve(verification))
  expect(keys.kaspaToSompi('1.5')).toBe(150_000_000n)
  expect(keys.isValidAddress('kaspa:nonsense')).toBe(false)
  for (const name of [...SDK_OPERATIONS, ...VERIFICATION_OPERATIONS])
    expect(keys[name] as () => unknown).toThrow(new ChainNotReadyError(name))
})

it('verification works after loadVerification(), without the SDK; the operations on secrets still throw', async () => {
  const keys = deferKeys(tooEarly, () => Promise.resolve(verification))
  await keys.loadVerification()
  expect(keys.isValidMnemonic(`${'abandon '.repeat(11)}about`)).toBe(true)
  expect(keys.createAddress('79be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798', 'simnet')).toMatch(
    /^kaspasim:q/,
  )
  for (const name of SDK_OPERATIONS) expect(keys[name] as () => unknown).toThrow(new ChainNotReadyError(name))
})
