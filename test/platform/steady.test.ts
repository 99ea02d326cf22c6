import { interval, timer } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import { steadyScheduler } from '../../src/platform/steady.js'

afterEach(() => vi.useRealTimers())

it('the clock of the timers runs on while the wall clock is set back and forth', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 })
  const before = steadyScheduler.now()
  const eightHours = 8 * 3_600_000
  for (const jump of [eightHours, -2 * eightHours]) vi.setSystemTime(Date.now() + jump)
  const passed = steadyScheduler.now() - before
  expect([passed >= 0, passed < 60_000]).toEqual([true, true])
})

it.each([2 ** 31, Number.MAX_SAFE_INTEGER, Infinity])('a wait of %d ms is a long one', (span) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const ring = vi.fn()
  const waits = timer(span, steadyScheduler).subscribe(ring)
  waits.add(interval(span, steadyScheduler).subscribe(ring))
  vi.advanceTimersByTime(86_400_000)
  expect(ring).not.toHaveBeenCalled()
  waits.unsubscribe()
})
