import fc from 'fast-check'
import { afterEach, expect, it, vi } from 'vitest'
import { retries } from './retries.js'

afterEach(() => vi.unstubAllEnvs())

/** Whether a test that fails like this is retried in the complete run. */
function isRetried(run: () => void): boolean {
  vi.stubEnv('VUE_CHAIN_RETRY', '1')
  const { condition } = retries(1) as { readonly condition: RegExp }
  try {
    run()
  } catch (error) {
    return condition.test((error as Error).message)
  }
  throw new Error('The run did not fail')
}

it('retries a failed expectation', () => {
  expect(isRetried(() => expect(1).toBe(2))).toBe(true)
})

it('does not retry a property, whose counterexample another case would hide', () => {
  const property = fc.property(fc.integer(), () => false)
  expect(isRetried(() => fc.assert(property))).toBe(false)
  expect(
    isRetried(() => fc.assert(property, { plugins: [fc.interruptAfterTimeLimit(0, { failOnInterrupt: true })] })),
  ).toBe(false)
})

it('does not retry a frame or a response of a seed', () => {
  expect(isRetried(() => expect.fail('FUZZ_SEED=5, 3 frames remaining'))).toBe(false)
})

it('retries nothing outside the complete run', () => {
  vi.stubEnv('VUE_CHAIN_RETRY', undefined)
  expect(retries(2)).toBe(0)
})
