import { expect, it } from 'vitest'
import { WRITE_INTERVAL, isJustWritten, keysToDelete, toWriteDelay } from '../../../src/model/last-state/summary.js'

const NOW = 1_000_000
const sized = (asOf: number, size: number) => ({ asOf, size, columns: null })

it('deletes what is too old, of the future or damaged, and the oldest of what is too much', () => {
  const stored = [
    ['newest', sized(NOW, 40)],
    ['oldest', sized(NOW - 300, 40)],
    ['older', sized(NOW - 200, 40)],
    ['too old', sized(NOW - 1001, 1)],
    ['of the future', sized(NOW + 1, 1)],
    ['negative', sized(NOW, -1)],
    ['none', null],
  ] as const
  const keys = keysToDelete(stored, { now: NOW, maxAge: 1000, limit: 100 })
  expect(keys).toEqual(['oldest', 'too old', 'of the future', 'negative', 'none'])
  expect(keysToDelete(stored.slice(0, 3), { now: NOW, maxAge: 1000 })).toEqual([])
})

it('writes soon after the first change, then every 5 s', () => {
  expect([Infinity, WRITE_INTERVAL, 1000, 0].map(toWriteDelay)).toEqual([250, 250, 4000, 5000])
})

it('recognizes what another tab has just written', () => {
  expect(isJustWritten(sized(NOW - 1, 1), NOW)).toBe(true)
  expect(isJustWritten(sized(NOW - WRITE_INTERVAL, 1), NOW)).toBe(false)
  expect(isJustWritten(sized(NOW + 1, 1), NOW)).toBe(false)
  expect(isJustWritten(undefined, NOW)).toBe(false)
})
