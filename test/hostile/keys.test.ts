import { describe, expect, it } from 'vitest'
import { checkCount } from '../../src/operations/keys/arguments.js'

describe('A8: the number of derived keys', () => {
  it.each([
    [10_000, 0],
    [10_000, 2 ** 31 - 10_001],
    [0, 2 ** 31 - 1],
  ])('may be %d from index %d', (count, start) => {
    expect(checkCount('derivePublicKeys', 'receiveCount', count, start)).toBe(count)
  })

  it.each([
    [10_001, 0],
    [1e9, 0],
    [10_000, 2 ** 31 - 10_000],
    [1, 2 ** 31 - 1],
    [Infinity, 0],
    [Number.NaN, 0],
    [0.5, 0],
    [-1, 0],
  ])('must not be %d from index %d', (count, start) => {
    expect(() => checkCount('derivePublicKeys', 'receiveCount', count, start)).toThrow(
      expect.objectContaining({ code: 'invalid-argument', argument: 'receiveCount' }),
    )
  })
})
