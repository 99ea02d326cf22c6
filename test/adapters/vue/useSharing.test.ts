// @vitest-environment happy-dom
import { expect, it } from 'vitest'
import { useSharing } from '../../../src/adapters/vue/composables/useSharing.js'
import { VueChain } from '../../../src/adapters/vue/plugin/plugin.js'
import { mountApp } from './with-app.js'

it.each([
  [undefined, 'off'],
  [{ claims: false, connection: false }, 'off'],
  [{ claims: false }, 'unsupported'],
  [{ claims: false, connection: false, state: true }, 'unsupported'],
  [true, 'unsupported'], // happy-dom has no Web Locks
] as const)('with the option %o says why this tab shares nothing: %s', (shared, reason) => {
  const { result } = mountApp(useSharing, (app) => app.use(VueChain, { network: 'simnet', autoConnect: false, shared }))
  expect([result.claims.value, result.connection.value, result.reason.value]).toEqual(['own', 'own', reason])
})
