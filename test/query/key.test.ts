import { expect, it } from 'vitest'
import { hashQueryKey } from '../../src/query/options.js'

it.each([
  ['fields in another order', [{ limit: 5, at: { from: 1n, to: 2 } }], [{ at: { to: 2, from: 1n }, limit: 5 }], true],
  ['lists in another order', [[1, 2]], [[2, 1]], false],
  ['a bigint and a number', ['x', 1n], ['x', 1], false],
  ['equal bigints', ['x', 2n ** 63n], ['x', 2n ** 63n], true],
])('hashes %s: equal %#', (_, one, other, isEqual) => {
  expect(hashQueryKey(one) === hashQueryKey(other)).toBe(isEqual)
})
