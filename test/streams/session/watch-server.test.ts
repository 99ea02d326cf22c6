import type { Observable } from 'rxjs'
import { EMPTY, NEVER, defer, distinctUntilChanged, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import { toServerInfo, watchServer$, type WatchServerDeps } from '../../../src/streams/session/watch-server.js'
import { toServerState } from '../../../src/streams/session/server-state.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'

type Info = RpcResponse<'getServerInfo'>

const info = (more: Partial<Info> = {}): Info => fixtures.serverInfo({ virtualDaaScore: 5n, ...more })

/** The node's health as letters: s(yncing), h(ealthy), l(agging), i(ndex missing). */
function health$(
  clock: TestPlatform,
  first: Info,
  {
    info$ = EMPTY,
    daaScores$ = NEVER,
    requested$ = NEVER,
    triggers$ = NEVER,
  }: Partial<Omit<WatchServerDeps, 'info$'>> & {
    readonly info$?: Observable<Info>
  },
): Observable<string> {
  return watchServer$(toServerInfo(first, clock.now()), { clock, info$, daaScores$, requested$, triggers$ }).pipe(
    map((facts) => toServerState(facts, clock.now()).health),
    map((health) => ({ healthy: 'h', lagging: 'l', 'not-synced': 's', 'no-utxo-index': 'i', unknown: 'u' })[health]),
    distinctUntilChanged(),
  )
}

describe('watchServer$', () => {
  it(
    'polls every two seconds until the node is synced, also after failed calls',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      const responses = [
        () => of(info({ isSynced: false })),
        () => throwError(() => new Error('busy')),
        () => of(info()),
      ]
      let requests = 0
      const info$ = defer(() => responses[requests++]?.() ?? of(info()))
      m.expect(health$(clock, info({ isSynced: false }), { info$ }), '^ 20s !').toBeObservable('s 5999ms h')
      m.flush()
      expect(requests).toBe(3)
    }),
  )

  it(
    'reports lagging after a minute without a new DAA score, and healthy on the next one',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      const daaScores$ = m.cold('70s a', { a: 6n })
      const watched$ = health$(clock, info(), { info$: of(info()), daaScores$ })
      m.expect(watched$, '^ 100s !').toBeObservable('h 59999ms l 9999ms h')
    }),
  )

  it(
    'makes one request at a time',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      const slow$ = m.cold('5s (a|)', { a: info({ isSynced: false }) })
      m.expect(health$(clock, info({ isSynced: false }), { info$: slow$ }), '^ 13s !').toBeObservable('s')
      m.expect(slow$).toHaveSubscriptions(['2s ^ 4999ms !', '8s ^ 4999ms !'])
    }),
  )

  it(
    'reports a missing UTXO index',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      m.expect(health$(clock, info({ hasUtxoIndex: false }), {}), '^ 1s !').toBeObservable('i')
    }),
  )

  it(
    'detects lagging one minute later after the clock was set back',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      m.scheduler.schedule(() => clock.shiftClock(-8 * 3_600_000), 30_000)
      m.expect(health$(clock, info(), { info$: of(info()) }), '^ 200s !').toBeObservable('h 119999ms l')
    }),
  )
})

describe('the remedy of an unhealthy node', () => {
  const at = (more: Partial<Info>, age = 0) => toServerState(toServerInfo(info(more), 0), age).remedy

  it.each([
    ['healthy', {}, 0, null],
    ['not synced', { isSynced: false }, 0, 'The node is still syncing with its network. Wait, or set another url.'],
    ['lagging', {}, 60_000, 'The node no longer follows its network. Check its peers, or set another url.'],
    ['no UTXO index', { hasUtxoIndex: false }, 0, 'Run the node with --utxoindex, or set url to such a node.'],
  ])('%s', (_, more, age, remedy) => {
    expect(at(more, age)).toBe(remedy)
  })
})
