import { describe, expect, it } from 'vitest'
import { isMature } from '../../src/model/spendable.js'

describe('a coinbase entry', () => {
  // A real node rejected it at score + 999 and accepted it at score + 1000.
  it.each([
    [554n + 999n, false],
    [554n + 1000n, true],
    [554n + 1001n, true],
  ])('accepted at 554 is spendable at %s: %s', (virtualDaaScore, expected) => {
    expect(isMature({ isCoinbase: true, blockDaaScore: 554n }, virtualDaaScore, 1000n)).toBe(expected)
  })
})

describe('every other entry', () => {
  it('is spendable at once', () => {
    expect(isMature({ isCoinbase: false, blockDaaScore: 554n }, 0n, 1000n)).toBe(true)
  })
})
