import { map } from 'rxjs'
import { it } from 'vitest'
import { idle$ } from '../../../src/streams/connection/heartbeat.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'

it(
  'emits after each idle span',
  marbles((m) => {
    const clock = createTestPlatform({ scheduler: m.scheduler })
    const source$ = m.hot(' --a-aa-------------a------')
    const expected = '      ----------q----q--------q-'
    const idles$ = idle$(source$, 5, clock).pipe(map(() => 'q'))
    m.expect(idles$, '^------------------------!').toBeObservable(expected)
  }),
)

it(
  'is delayed by one span at most if the clock is set back',
  marbles((m) => {
    const clock = createTestPlatform({ scheduler: m.scheduler })
    const source$ = m.hot(' ---s------------', { s: -8 * 3_600_000 }).pipe(map((ms) => clock.shiftClock(ms)))
    const expected = '      --------q----q--'
    const idles$ = idle$(source$, 5, clock).pipe(map(() => 'q'))
    m.expect(idles$, '^--------------!').toBeObservable(expected)
  }),
)
