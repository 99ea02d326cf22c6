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

/** The connection's states, a letter each: d(isconnected), c(onnecting), o(pen), r(econnecting), e(rror). */
const letters$ = ({ link }: TestLink): Observable<string> =>
  link.keeper.state$.pipe(map(({ status }) => (status === 'connected' ? 'o' : status.charAt(0))))

/** What kind of failure it was. */
const toCode = (error: unknown): Observable<string> => of(error instanceof ChainRpcError ? error.code : 'another')

const refusal = new ChainRpcError('subscribe', new Error('not today'), { code: 'remote' })

describe('a clock that jumps by eight hours', () => {
  it.each([
    ['ahead', EIGHT_HOURS],
    ['back', -EIGHT_HOURS],
  ])('%s drops no connection that still answers', (_, jump) => {
    marbles((m) => {
      const scene = createTestLink(m.scheduler, { heartbeat })
      run(m.hot('c 1200ms j 5s j'), { c: scene.connect, j: () => scene.platform.shiftClock(jump) })
      m.expect(letters$(scene), '^ 20s !').toBeObservable('(dco)')
    })()
  })

  it.each([
    ['ahead', EIGHT_HOURS],
    ['back', -EIGHT_HOURS],
  ])('%s hides for no longer than two beats that the node is gone', (_, jump) => {
    marbles((m) => {
      const scene = createTestLink(m.scheduler, { heartbeat })
      scene.node.answer('ping', () => NEVER)
      run(m.hot('c 500ms j'), { c: scene.connect, j: () => scene.platform.shiftClock(jump) })
      const isLost$ = letters$(scene).pipe(
        map((letter) => letter === 'r'),
        distinctUntilChanged(),
        takeUntil(timer(3_000, m.scheduler)),
        toArray(),
        map(String),
      )
      m.expect(isLost$).toBeObservable('3s (l|)', { l: 'false,true,false' })
    })()
  })

  it(
    'back keeps no refused subscription from being tried again',
    marbles((m) => {
      const scene = createTestLink(m.scheduler)
      const { link, node, platform, connect } = scene
      let tries = 0
      node.answer('subscribe', () => (++tries < 3 ? throwError(() => refusal) : of({ id: 1n })))
      link.want({ type: 'block-added' })
      run(m.hot('c 500ms j'), { c: connect, j: () => platform.shiftClock(-EIGHT_HOURS) })
      const placed$ = link.placed$.pipe(map(({ scopes }) => (scopes.size > 0 ? 'y' : 'n')))
      m.expect(placed$, '^ 5s !').toBeObservable('(nn) 996ms n 1999ms y')
    }),
  )
})

describe('a node that is busy with a large answer, since it answers in turn', () => {
  it('is waited for twice as long each time, so that the answer comes through in the end', () => {
    marbles((m) => {
      const scene = createTestLink(m.scheduler, { heartbeat })
      scene.node.answer('ping', () => m.cold('3s (a|)', { a: {} }))
      run(m.hot('-c'), { c: scene.connect })
      // silent for a second, then asked for half a second, one, two, and at last for more than the three that it takes
      const expected = 'd(co) 1496ms r----(ro) 1996ms r----(ro) 2996ms r----(ro)'
      m.expect(letters$(scene), '^ 29s !').toBeObservable(expected)
    })()
  })

  it('is found dead as soon as ever, once it has answered in time', () => {
    marbles((m) => {
      const scene = createTestLink(m.scheduler, { heartbeat })
      const answerBy = (answer: Observable<object>) => (): void => scene.node.answer('ping', () => answer)
      answerBy(NEVER)()
      run(m.hot('-c 2s a 4s x'), { c: scene.connect, a: answerBy(of({})), x: answerBy(NEVER) })
      m.expect(letters$(scene), '^ 8s !').toBeObservable('d(co) 1496ms r----(ro) 5496ms r----(ro)')
    })()
  })
})

describe('a tab that is hidden for ten minutes', () => {
  it(
    'keeps its connection where its timers ring once a minute, and asks at once when it is seen again',
    marbles((m) => {
      const scene = createTestLink(m.scheduler, { heartbeat })
      const { platform, node, connect } = scene
      const hidden = (): void => {
        platform.visible$.next(false)
        platform.shiftClock(600_000) // timers stood still
      }
      const seen = (): number => node.calls.filter(({ method }) => method === 'ping').length
      const pings: number[] = []
      const deeds = {
        c: connect,
        h: hidden,
        v: () => {
          pings.push(seen())
          platform.visible$.next(true)
          pings.push(seen())
        },
      }
      run(m.hot('c 99ms h 99ms v'), deeds)
      m.expect(letters$(scene), '^ 5s !').toBeObservable('(dco)')
      m.flush()
      expect(pings).toEqual([0, 1])
    }),
  )

  it(
    'finds out within one timeout after it is seen again that its node has gone',
    marbles((m) => {
      const scene = createTestLink(m.scheduler, { heartbeat })
      scene.node.answer('ping', () => NEVER)
      const deeds = {
        c: scene.connect,
        h: () => scene.platform.visible$.next(false),
        v: () => scene.platform.visible$.next(true),
      }
      run(m.hot('c 99ms h 99ms v'), deeds)
      m.expect(letters$(scene), '^ 705ms !').toBeObservable('(dco) 695ms r----(ro)')
    }),
  )
})

describe('a node that answers', () => {
  it(
    'late, out of order or never, has each question answered by its own answer, or by the deadline',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler, { requestTimeout: 20 })
      node.answer('getBlockCount', () => timer(9, m.scheduler).pipe(map(() => ({ headerCount: 1n, blockCount: 1n }))))
      node.answer('getSink', () => timer(3, m.scheduler).pipe(map(() => ({ sink: 'ab' }))))
      node.answer('getSinkBlueScore', () => NEVER)
      connect()
      const late$ = link.call('getBlockCount', {}).pipe(map(({ blockCount }) => String(blockCount)))
      const early$ = link.call('getSink', {}).pipe(map(({ sink }) => sink))
      const never$ = link.call('getSinkBlueScore', {}).pipe(
        map(() => 'answered'),
        catchError(toCode),
      )
      m.expect(late$).toBeObservable('9ms (c|)', { c: '1' })
      m.expect(early$).toBeObservable('3ms (s|)', { s: 'ab' })
      m.expect(never$).toBeObservable('20ms (t|)', { t: 'timeout' })
    }),
  )

  it(
    'twice, is heard once',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.answer('getSink', () => m.cold('-ab', { a: { sink: 'ab' }, b: { sink: 'cd' } }))
      connect()
      m.expect(link.call('getSink', {}).pipe(map(({ sink }) => sink))).toBeObservable('-(a|)', { a: 'ab' })
    }),
  )

  it(
    'nothing any more, ends its questions with the connection',
    marbles((m) => {
      const { link, node, connect } = createTestLink(m.scheduler)
      node.answer('getSink', () => NEVER)
      connect()
      run(m.hot('---x'), { x: () => node.drop() })
      const sink$ = link.call('getSink', {}).pipe(
        map(() => 'answered'),
        catchError(toCode),
      )
      m.expect(sink$).toBeObservable('---(l|)', { l: 'connection-lost' })
    }),
  )
})

describe('a subscriber that throws', () => {
  it('keeps no other from hearing, neither of an event nor of a state', async () => {
    const thrown: unknown[] = []
    const { link, node, connect } = createTestLink(new VirtualTimeScheduler())
    config.onUnhandledError = (error) => thrown.push(error)
    const bug = (): never => {
      throw new Error('a bug of the listener')
    }
    const heard: string[] = []
    link.keeper.state$.subscribe(bug)
    link.events$('block-added').subscribe(bug)
    link.keeper.state$.subscribe(({ status }) => heard.push(status))
    link.events$('sink-blue-score-changed').subscribe(bug)
    link.events$('sink-blue-score-changed').subscribe(({ data }) => heard.push(String(data.sinkBlueScore)))
    connect()
    node.notify({ type: 'sink-blue-score-changed', data: { sinkBlueScore: 7n } })
    link.dispose()
    expect(heard).toEqual(['disconnected', 'connecting', 'connected', '7', 'disconnected'])
    await expect.poll(() => thrown).toHaveLength(5)
    config.onUnhandledError = null
  })
})
