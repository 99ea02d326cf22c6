import { map } from 'rxjs'
import { it } from 'vitest'
import { quiet$ } from '../../../src/streams/connection/quiet.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'

it(
  'tells of silence after so many ms without a word, and again after as many more',
  marbles((m) => {
    const clock = createTestPlatform({ scheduler: m.scheduler })
    const source$ = m.hot(' --a-aa-------------a------')
    const expected = '      ----------q----q--------q-'
    const silence$ = quiet$(source$, 5, clock).pipe(map(() => 'q'))
    m.expect(silence$, '^------------------------!').toBeObservable(expected)
  }),
)

it(
  'is not fooled for longer than once by a clock that is set back eight hours',
  marbles((m) => {
    const clock = createTestPlatform({ scheduler: m.scheduler })
    const source$ = m.hot(' ---s------------', { s: -8 * 3_600_000 }).pipe(map((ms) => clock.shiftClock(ms)))
    const expected = '      --------q----q--'
    const silence$ = quiet$(source$, 5, clock).pipe(map(() => 'q'))
    m.expect(silence$, '^--------------!').toBeObservable(expected)
  }),
)
