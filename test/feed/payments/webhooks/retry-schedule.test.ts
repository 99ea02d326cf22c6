import { expect, it } from 'vitest'
import { nextAttemptAt } from '../../../../src/feed/payments/webhooks/deliver.js'

it('attempts after 5 s, 1 min, 5 min, 30 min, 2 h and each 6 h, for three days', () => {
  const delays: number[] = []
  let now = 0
  for (let attempts = 1; ; attempts++) {
    const next = nextAttemptAt(attempts, 0, now)
    if (next === null) break
    delays.push((next - now) / 1_000)
    now = next
  }
  expect(delays.slice(0, 7)).toEqual([5, 60, 300, 1_800, 7_200, 21_600, 21_600])
  expect(now).toBeLessThanOrEqual(72 * 3_600_000)
  expect(now).toBeGreaterThan(66 * 3_600_000)
})
