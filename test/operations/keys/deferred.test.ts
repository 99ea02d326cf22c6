import { expect, it } from 'vitest'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { SDK_OPERATIONS, deferKeys } from '../../../src/operations/keys/deferred.js'
import { createKeys } from '../../../src/operations/keys/keys.js'
import { WITHOUT_SDK } from '../../../src/operations/keys/without-sdk.js'

const tooEarly = (operation: string): never => {
  throw new ChainNotReadyError(operation)
}

it('every operation either needs no SDK or comes with it', () => {
  expect([...SDK_OPERATIONS, ...Object.keys(WITHOUT_SDK)].sort()).toEqual(Object.keys(createKeys(tooEarly)).sort())
})

it('what needs no SDK works before it is there; what needs it says so by name', () => {
  const keys = deferKeys(tooEarly)
  expect(keys.kaspaToSompi('1.5')).toBe(150_000_000n)
  expect(keys.isValidAddress('kaspa:nonsense')).toBe(false)
  for (const name of SDK_OPERATIONS) expect(keys[name] as () => unknown).toThrow(new ChainNotReadyError(name))
})
