import type { Observable } from 'rxjs'
import { EMPTY, NEVER, defer, distinctUntilChanged, map, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import { toServerFacts } from '../../../src/streams/session/learn-facts.js'
import { toServerState } from '../../../src/streams/session/server-facts.js'
import { watchServer$ } from '../../../src/streams/session/watch-server.js'
import { createTestPlatform, type TestPlatform } from '../../../src/testing/platform.js'
import { marbles } from '../../marbles.js'

type Info = RpcResponse<'getServerInfo'>

const info = (more: Partial<Info> = {}): Info => ({
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'simnet',
  hasUtxoIndex: true,
  isSynced: true,
  virtualDaaScore: 5n,
  ...more,
})

/** The node's health as it is found out, in a letter: s(till syncing), h(ealthy), l(agging), i(ndexless). */
function health$(
  clock: TestPlatform,
  first: Info,
  { info$ = EMPTY, daaScores$ = NEVER }: { info$?: Observable<Info>; daaScores$?: Observable<bigint> },
): Observable<string> {
  return watchServer$(toServerFacts(first, clock.now()), { clock, info$, daaScores$ }).pipe(
    map((facts) => toServerState(facts, clock.now()).health),
    map((health) => ({ healthy: 'h', lagging: 'l', 'not-synced': 's', 'no-utxo-index': 'i', unknown: 'u' })[health]),
    distinctUntilChanged(),
  )
}

describe('the watch over a node', () => {
  it(
    'asks a node that is out of sync every two seconds until it is in, however often it fails to answer',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      const answers = [() => of(info({ isSynced: false })), () => throwError(() => new Error('busy')), () => of(info())]
      let asked = 0
      const info$ = defer(() => answers[asked++]?.() ?? of(info()))
      m.expect(health$(clock, info({ isSynced: false }), { info$ }), '^ 20s !').toBeObservable('s 5999ms h')
      m.flush()
      expect(asked).toBe(3)
    }),
  )

  it(
    'finds out within a minute that a node stands still while time passes, and at once that it moves again',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      const daaScores$ = m.cold('70s a', { a: 6n })
      const watched$ = health$(clock, info(), { info$: of(info()), daaScores$ })
      m.expect(watched$, '^ 100s !').toBeObservable('h 59999ms l 9999ms h')
    }),
  )

  it(
    'asks one question at a time of a node that is slow to answer',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      const slow$ = m.cold('5s (a|)', { a: info({ isSynced: false }) })
      m.expect(health$(clock, info({ isSynced: false }), { info$: slow$ }), '^ 13s !').toBeObservable('s')
      m.expect(slow$).toHaveSubscriptions(['2s ^ 4999ms !', '8s ^ 4999ms !'])
    }),
  )

  it(
    'tells a node without the UTXO index from one that is healthy',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      m.expect(health$(clock, info({ hasUtxoIndex: false }), {}), '^ 1s !').toBeObservable('i')
    }),
  )

  it(
    'is not misled for longer than a minute by a clock that is set back eight hours',
    marbles((m) => {
      const clock = createTestPlatform({ scheduler: m.scheduler })
      m.scheduler.schedule(() => clock.shiftClock(-8 * 3_600_000), 30_000)
      m.expect(health$(clock, info(), { info$: of(info()) }), '^ 200s !').toBeObservable('h 119999ms l')
    }),
  )
})

describe('what is wrong with a node is said in words, with a remedy', () => {
  const at = (more: Partial<Info>, age = 0) => toServerState(toServerFacts(info(more), 0), age).remedy

  it.each([
    ['nothing', {}, 0, null],
    [
      'it is out of sync',
      { isSynced: false },
      0,
      'The node is still catching up with its network. Wait, or give another url.',
    ],
    ['it lags', {}, 60_000, 'The node no longer follows its network. Check its peers, or give another url.'],
    [
      'it has no UTXO index',
      { hasUtxoIndex: false },
      0,
      'Run the node with --utxoindex, or give the url of one that does.',
    ],
  ])('where it is that %s', (_, more, age, remedy) => {
    expect(at(more, age)).toBe(remedy)
  })
})
