import { interval, timer } from 'rxjs'
import { afterEach, expect, it, vi } from 'vitest'
import { monotonicScheduler } from '../../src/platform/schedulers.js'

afterEach(() => vi.useRealTimers())

it('the scheduler clock is not affected by jumps of the wall clock', () => {
  vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000 })
  const before = monotonicScheduler.now()
  const eightHours = 8 * 3_600_000
  for (const jump of [eightHours, -2 * eightHours]) vi.setSystemTime(Date.now() + jump)
  const passed = monotonicScheduler.now() - before
  expect([passed >= 0, passed < 60_000]).toEqual([true, true])
})

it.each([2 ** 31, Number.MAX_SAFE_INTEGER, Infinity])('a delay of %d ms does not fire within a day', (span) => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  const fire = vi.fn()
  const timers = timer(span, monotonicScheduler).subscribe(fire)
  timers.add(interval(span, monotonicScheduler).subscribe(fire))
  vi.advanceTimersByTime(86_400_000)
  expect(fire).not.toHaveBeenCalled()
  timers.unsubscribe()
})
