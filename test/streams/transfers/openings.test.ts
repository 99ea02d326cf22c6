import fc from 'fast-check'
import { expect, it } from 'vitest'
import { AddressScores, Openings } from '../../../src/streams/transfers/openings.js'
import { runs } from '../../full.js'

it('names the newest starts in a cursor, whatever the number of addresses that were added', () => {
  const openings = new Openings()
  const addresses = Array.from({ length: 100_000 }, (_, index) => `address ${index}`)
  openings.activate(addresses, 1_000n)
  openings.activate(['newest'], 1_001n)
  const { starts, completeFrom } = openings.toStarts(1_002n)
  expect(starts).toHaveLength(301) // one more than are written
  expect(starts[0]).toEqual({ tail: 'newest', blueScore: 1_001n })
  expect(completeFrom).toBe(0n)
  expect(openings.above(999n, () => [])).toHaveLength(100_001)
  expect(openings.toStarts(433_000n)).toEqual({ completeFrom: 1_000n, starts: [{ tail: 'newest', blueScore: 1_001n }] })
})

const action = fc.record({
  type: fc.constantFrom('set', 'delete', 'delete up to'),
  address: fc.constantFrom('a', 'b', 'c', 'd'),
  score: fc.bigInt({ min: 0n, max: 6n }),
})

it('orders the scores of addresses as a sort of all of them does', () => {
  fc.assert(
    fc.property(fc.array(action), (actions) => {
      const scores = new AddressScores()
      const expected = new Map<string, bigint>()
      for (const { type, address, score } of actions) {
        if (type === 'set') {
          scores.set(address, score)
          expected.set(address, score)
        } else if (type === 'delete') {
          scores.delete(address)
          expected.delete(address)
        } else {
          const deleted = [...expected].filter(([, one]) => one <= score)
          for (const [one] of deleted) expected.delete(one)
          const highest = deleted.map(([, one]) => one).sort((a, b) => Number(b - a))[0]
          expect(scores.deleteUpTo(score)).toBe(highest)
        }
        const above = [...scores.above(score)]
        expect(above.map(({ blueScore }) => blueScore)).toEqual(
          [...expected.values()].filter((one) => one > score).sort((a, b) => Number(b - a)),
        )
        expect(above.every((one) => expected.get(one.address) === one.blueScore)).toBe(true)
        expect(scores.size).toBe(expected.size)
      }
    }),
    { numRuns: runs(100) },
  )
})
