import { expect, it } from 'vitest'
import { isCodeNotLoaded } from '../../src/errors/not-ready-error.js'
import { loadCode } from '../../src/loading/load-code.js'

it('rejects with the words of the browser and the remedy', async () => {
  const cause = new TypeError('Failed to fetch dynamically imported module: https://app.example/assets/pay-1a2b.js')
  const error: unknown = await loadCode(() => Promise.reject(cause)).catch((failure: unknown) => failure)
  expect(isCodeNotLoaded(error)).toBe(true)
  expect(error).toMatchObject({
    name: 'ChainError',
    message: `A part of vue-chain could not be loaded: ${cause.message}`,
    code: 'code-not-loaded',
    cause,
    hint: 'Reload the page: a newer version of the app may have been deployed. Offline, call again once there is a network.',
  })
})

it('resolves to the module', async () => {
  expect(await loadCode(() => Promise.resolve({ one: 1 }))).toEqual({ one: 1 })
})
