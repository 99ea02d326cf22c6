import {
  NEVER,
  VirtualTimeScheduler,
  catchError,
  config,
  distinctUntilChanged,
  map,
  of,
  takeUntil,
  throwError,
  timer,
  toArray,
  type Observable,
} from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { marbles } from '../../marbles.js'
import { createTestLink, run, type TestLink } from '../link.js'

const EIGHT_HOURS = 8 * 3_600_000
const heartbeat = { interval: 1_000, timeout: 500 }

/** The connection's states as letters: d(isconnected), c(onnecting), o(pen), r(econnecting), e(rror). */
const letters$ = ({ link }: TestLink): Observable<string> =>
  link.connector.state$.pipe(map(({ status }) => (status === 'connected' ? 'o' : status.charAt(0))))

/** The code of a failure. */
const toCode = (error: unknown): Observable<string> => of(error instanceof ChainRpcError ? error.code : 'another')

const refusal = new ChainRpcError('subscribe', new Error('not today'), { code: 'remote' })

describe('a clock that jumps by eight hours', () => {
  it.each([
    ['ahead', EIGHT_HOURS],
    ['back', -EIGHT_HOURS],
  ])('%s does not drop a responding connection', (_, jump) => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler, { heartbeat })
      run(m.hot('c 1200ms j 5s j'), { c: harness.connect, j: () => harness.platform.shiftClock(jump) })
      m.expect(letters$(harness), '^ 20s !').toBeObservable('(dco)')
    })()
  })

  it.each([
    ['ahead', EIGHT_HOURS],
    ['back', -EIGHT_HOURS],
  ])('%s delays the detection of a dead node by at most two heartbeats', (_, jump) => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler, { heartbeat })
      harness.node.respond('ping', () => NEVER)
      run(m.hot('c 500ms j'), { c: harness.connect, j: () => harness.platform.shiftClock(jump) })
      const isReconnecting$ = letters$(harness).pipe(
        map((letter) => letter === 'r'),
        distinctUntilChanged(),
        takeUntil(timer(3_000, m.scheduler)),
        toArray(),
        map(String),
      )
      m.expect(isReconnecting$).toBeObservable('3s (l|)', { l: 'false,true,false' })
    })()
  })

  it(
    'back does not prevent retries of a refused subscription',
    marbles((m) => {
      const harness = createTestLink(m.scheduler)
      const { link, node, platform, connect } = harness
      let tries = 0
      node.respond('subscribe', () => (++tries < 3 ? throwError(() => refusal) : of({ id: 1n })))
      link.acquire({ type: 'block-added' })
      run(m.hot('c 500ms j'), { c: connect, j: () => platform.shiftClock(-EIGHT_HOURS) })
      const placed$ = link.placed$.pipe(map(({ scopes }) => (scopes.size > 0 ? 'y' : 'n')))
      m.expect(placed$, '^ 5s !').toBeObservable('(nn) 996ms n 1999ms y')
    }),
  )
})

describe('a node that is busy with a large response', () => {
  it('gets a doubled ping timeout after each drop, until it responds in time', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler, { heartbeat })
      harness.node.respond('ping', () => m.cold('3s (a|)', { a: {} }))
      run(m.hot('-c'), { c: harness.connect })
      // idle for 1 s, then ping timeouts of 0.5, 1, 2 and 4 s; the response takes 3 s
      const expected = 'd(co) 1496ms r----(ro) 1996ms r----(ro) 2996ms r----(ro)'
      m.expect(letters$(harness), '^ 29s !').toBeObservable(expected)
    })()
  })

  it('gets the initial ping timeout again after a response in time', () => {
    marbles((m) => {
      const harness = createTestLink(m.scheduler, { heartbeat })
      const respondWith = (response: Observable<object>) => (): void => harness.node.respond('ping', () => response)
      respondWith(NEVER)()
      run(m.hot('-c 2s a 4s x'), { c: harness.connect, a: respondWith(of({})), x: respondWith(NEVER) })
      m.expect(letters$(harness), '^ 8s !').toBeObservable('d(co) 1496ms r----(ro) 5496ms r----(ro)')
    })()
  })
})

describe('a tab that is hidden for ten minutes', () => {
  it(
    'keeps its connection despite throttled timers, and pings at once when visible again',
    marbles((m) => {
      const harness = createTestLink(m.scheduler, { heartbeat })
      const { platform, node, connect } = harness
      const hidden = (): void => {
        platform.visible$.next(false)
        platform.shiftClock(600_000) // timers stood still
      }
      const pingCount = (): number => node.calls.filter(({ method }) => method === 'ping').length
      const pings: number[] = []
      const actions = {
        c: connect,
        h: hidden,
        v: () => {
          pings.push(pingCount())
          platform.visible$.next(true)
          pings.push(pingCount())
        },
      }
      run(m.hot('c 99ms h 99ms v'), actions)
      m.expect(letters$(harness), '^ 5s !').toBeObservable('(dco)')
      m.flush()
      expect(pings).toEqual([0, 1])
    }),
  )

  it(
    'detects a dead node within one timeout after it is visible again',
    marbles((m) => {
      const harness = createTestLink(m.scheduler, { heartbeat })
      harness.node.respond('ping', () => NEVER)
      const actions = {
        c: harness.connect,
        h: () => harness.platform.visible$.next(false),
        v: () => harness.platform.visible$.next(true),
      }
      run(m.hot('c 99ms h 99ms v'), actions)
      m.expect(letters$(harness), '^ 705ms !').toBeObservable('(dco) 695ms r----(ro)')
    }),
  )
})

describe('a node that responds', () => {
  it(
    'late, out of order or never, settles each call by its own response or its timeout',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler, { requestTimeout: 20 })
      node.respond('getBlockCount', () => timer(9, m.scheduler).pipe(map(() => ({ headerCount: 1n, blockCount: 1n }))))
      node.respond('getSink', () => timer(3, m.scheduler).pipe(map(() => ({ sink: 'ab' }))))
      node.respond('getSinkBlueScore', () => NEVER)
      connect()
      const late$ = link.call('getBlockCount', {}).pipe(map(({ blockCount }) => String(blockCount)))
      const early$ = link.call('getSink', {}).pipe(map(({ sink }) => sink))
      const never$ = link.call('getSinkBlueScore', {}).pipe(
        map(() => 'response'),
        catchError(toCode),
      )
      m.expect(late$).toBeObservable('9ms (c|)', { c: '1' })
      m.expect(early$).toBeObservable('3ms (s|)', { s: 'ab' })
      m.expect(never$).toBeObservable('20ms (t|)', { t: 'timeout' })
    }),
  )

  it(
    'twice, is emitted once',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.respond('getSink', () => m.cold('-ab', { a: { sink: 'ab' }, b: { sink: 'cd' } }))
      connect()
      m.expect(link.call('getSink', {}).pipe(map(({ sink }) => sink))).toBeObservable('-(a|)', { a: 'ab' })
    }),
  )

  it(
    'never, fails its calls with the connection',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.respond('getSink', () => NEVER)
      connect()
      run(m.hot('---x'), { x: () => node.drop() })
      const sink$ = link.call('getSink', {}).pipe(
        map(() => 'response'),
        catchError(toCode),
      )
      m.expect(sink$).toBeObservable('---(l|)', { l: 'connection-lost' })
    }),
  )
})

describe('a subscriber that throws', () => {
  it('does not affect other subscribers of events and states', async () => {
    const thrown: unknown[] = []
    const { link, node, connect } = createTestLink(new VirtualTimeScheduler())
    config.onUnhandledError = (error) => thrown.push(error)
    const bug = (): never => {
      throw new Error('a bug of the subscriber')
    }
    const received: string[] = []
    link.connector.state$.subscribe(bug)
    link.events$('block-added').subscribe(bug)
    link.connector.state$.subscribe(({ status }) => received.push(status))
    link.events$('sink-blue-score-changed').subscribe(bug)
    link.events$('sink-blue-score-changed').subscribe(({ data }) => received.push(String(data.sinkBlueScore)))
    connect()
    node.notify({ type: 'sink-blue-score-changed', data: { sinkBlueScore: 7n } })
    link.dispose()
    expect(received).toEqual(['disconnected', 'connecting', 'connected', '7', 'disconnected'])
    await expect.poll(() => thrown).toHaveLength(5)
    config.onUnhandledError = null
  })
})
