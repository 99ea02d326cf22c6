import { NEVER, tap, type Observable } from 'rxjs'
import { describe, it } from 'vitest'
import { heartbeat$ } from '../../../src/streams/connection/heartbeat.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'

/** Silence for 5 ms is asked about; 3 ms without an answer are a death. */
const beat = (
  platform: TestPlatform,
  streams: { heard$: Observable<unknown>; ping$: Observable<unknown>; wake$?: Observable<unknown> },
) =>
  heartbeat$({
    clock: platform,
    policy: { interval: 5, timeout: 3 },
    wake$: NEVER,
    toError: (timeout) => `silent for ${timeout}`,
    ...streams,
  })

describe('a heartbeat', () => {
  it(
    'asks nothing while the node talks',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const heard$ = m.hot(' ---a---a---a---a')
      const ping$ = m.cold('  --(p|)')
      const beats$ = beat(platform, { heard$, ping$ })
      m.expect(beats$, '     ^--------------!').toBeObservable('----------------')
      m.expect(ping$).toHaveSubscriptions([])
    }),
  )

  it(
    'asks after each silence, and is content with an answer',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const heard$ = m.hot(' -a--------------')
      const ping$ = m.cold('       --(p|)')
      const asked = ['                    ------^-!', '                    -------------^-!']
      m.expect(beat(platform, { heard$, ping$ }), '^----------------!').toBeObservable('------------------')
      m.expect(ping$).toHaveSubscriptions(asked)
    }),
  )

  it(
    'finds a node dead that leaves a ping unanswered',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const heard$ = m.hot(' -a--------------')
      const ping$ = m.cold('       ----(p|)')
      const expected = '     ---------#'
      m.expect(beat(platform, { heard$, ping$ })).toBeObservable(expected, undefined, 'silent for 3')
    }),
  )

  it(
    'takes any word for an answer',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const heard$ = m.hot(' -a------b-------')
      const ping$ = m.cold('       ----(p|)')
      const expected = '     ----------------#'
      m.expect(beat(platform, { heard$, ping$ })).toBeObservable(expected, undefined, 'silent for 3')
    }),
  )

  it(
    'asks at once when the page is seen again, the network is back, or the machine has slept',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const heard$ = m.hot(' -a-a-a-a-a-a')
      const wake$ = m.hot('  ------w')
      const ping$ = m.cold('       --(p|)')
      m.expect(beat(platform, { heard$, wake$, ping$ }), '^---------!').toBeObservable('-----------')
      m.expect(ping$).toHaveSubscriptions(['------^!'])
    }),
  )

  it(
    'does not take a timer that rings eight hours late for a dead node: it asks again, and then judges',
    marbles((m) => {
      const platform = createTestPlatform({ scheduler: m.scheduler })
      const sleep$ = m.hot('-------s').pipe(tap(() => platform.shiftClock(8 * 3_600_000)))
      const asked = ['                    -----^--!', '                    --------^--!']
      const ping$ = m.cold('       ----(p|)')
      m.expect(sleep$).toBeObservable('-------s')
      m.expect(beat(platform, { heard$: NEVER, ping$ })).toBeObservable('-----------#', undefined, 'silent for 3')
      m.expect(ping$).toHaveSubscriptions(asked)
    }),
  )
})
