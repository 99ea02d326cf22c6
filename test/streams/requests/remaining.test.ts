import { VirtualTimeScheduler } from 'rxjs'
import { expect, it } from 'vitest'
import { remaining$ } from '../../../src/streams/requests/page-request.js'

/** The emitted values by virtual time, for a clock that is `ahead` of the timers after a sleep at 2,000 ms. */
function valuesFor(expiresAt: number, ahead = 0): (readonly [number, number])[] {
  const scheduler = new VirtualTimeScheduler()
  const now = (): number => scheduler.now() + (scheduler.now() >= 2_000 ? ahead : 0)
  const values: (readonly [number, number])[] = []
  let isComplete = false
  remaining$(expiresAt, { now, scheduler }).subscribe({
    next: (value) => values.push([scheduler.now(), value]),
    complete: () => (isComplete = true),
  })
  scheduler.flush()
  expect(isComplete).toBe(true)
  return values
}

it('counts whole seconds down to 0, also after a sleep of the machine', () => {
  expect(valuesFor(2_500)).toEqual([
    [0, 3_000],
    [1_000, 2_000],
    [2_000, 1_000],
    [3_000, 0],
  ])
  expect(valuesFor(60_000, 50_000)).toEqual(
    expect.arrayContaining([
      [1_000, 59_000],
      [2_000, 8_000],
    ]),
  )
  expect(valuesFor(-1)).toEqual([[0, 0]])
})
