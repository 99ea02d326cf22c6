import { NEVER, tap, type Observable } from 'rxjs'
import { describe, it } from 'vitest'
import { heartbeat$ } from '../../../src/streams/connection/heartbeat.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'

/** Pings after 5 idle ms; times out after 3 ms. */
const beat$ = (
  platform: TestPlatform,
  streams: { received$: Observable<unknown>; ping$: Observable<unknown>; wake$?: Observable<unknown> },
) =>
  heartbeat$({
    clock: platform,
    policy: { interval: 5, timeout: 3 },
    wake$: NEVER,
    toError: (timeout) => `timeout after ${timeout}`,
    ...streams,
  })

describe('a heartbeat', () => {
  it(
    'sends no ping while messages arrive',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const received$ = m.hot(' ---a---a---a---a')
      const ping$ = m.cold('  --(p|)')
      const errors$ = beat$(platform, { received$, ping$ })
      m.expect(errors$, '     ^--------------!').toBeObservable('----------------')
      m.expect(ping$).toHaveSubscriptions([])
    }),
  )

  it(
    'pings after each idle interval and accepts the response',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const received$ = m.hot(' -a--------------')
      const ping$ = m.cold('       --(p|)')
      const pings = ['                    ------^-!', '                    -------------^-!']
      m.expect(beat$(platform, { received$, ping$ }), '^----------------!').toBeObservable('------------------')
      m.expect(ping$).toHaveSubscriptions(pings)
    }),
  )

  it(
    'errors when a ping times out',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const received$ = m.hot(' -a--------------')
      const ping$ = m.cold('       ----(p|)')
      const expected = '     ---------#'
      m.expect(beat$(platform, { received$, ping$ })).toBeObservable(expected, undefined, 'timeout after 3')
    }),
  )

  it(
    'accepts any message as a sign of life',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const received$ = m.hot(' -a------b-------')
      const ping$ = m.cold('       ----(p|)')
      const expected = '     ----------------#'
      m.expect(beat$(platform, { received$, ping$ })).toBeObservable(expected, undefined, 'timeout after 3')
    }),
  )

  it(
    'pings at once on wake$',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const received$ = m.hot(' -a-a-a-a-a-a')
      const wake$ = m.hot('  ------w')
      const ping$ = m.cold('       --(p|)')
      m.expect(beat$(platform, { received$, wake$, ping$ }), '^---------!').toBeObservable('-----------')
      m.expect(ping$).toHaveSubscriptions(['------^!'])
    }),
  )

  it(
    'repeats the ping after a timer that fired eight hours late',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const sleep$ = m.hot('-------s').pipe(tap(() => platform.shiftClock(8 * 3_600_000)))
      const pings = ['                    -----^--!', '                    --------^--!']
      const ping$ = m.cold('       ----(p|)')
      m.expect(sleep$).toBeObservable('-------s')
      m.expect(beat$(platform, { received$: NEVER, ping$ })).toBeObservable(
        '-----------#',
        undefined,
        'timeout after 3',
      )
      m.expect(ping$).toHaveSubscriptions(pings)
    }),
  )
})
