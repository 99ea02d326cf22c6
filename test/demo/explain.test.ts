import { expect, it } from 'vitest'
import { explain } from '../../demo/src/shared/explain.js'
import { ChainError, ChainRpcError } from 'vue-chain'

it.each<[string, unknown, string]>([
  [
    'a call without a connection, as while the node restarts',
    new ChainRpcError('getVirtualChainFromBlock', new ChainError('There is no connection to a node'), {
      code: 'not-connected',
      hint: 'Await connect().',
    }),
    'RPC method "getVirtualChainFromBlock" failed: There is no connection to a node. Await connect().',
  ],
  [
    'a failed connection, whose message has the reason',
    new ChainRpcError('connect', new Error('refused')),
    'Could not connect: refused',
  ],
  ['an error of the demo', new Error('No payment to revert.'), 'No payment to revert.'],
])('explains %s', (_, error, text) => {
  expect(explain(error)).toBe(text)
})
