import { NEVER, asyncScheduler, concat, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { NO_RETRIES } from '../../../src/streams/connection/policy.js'
import { marbles } from '../../marbles.js'
import { A, B, createHarness, during, track, settle, target } from './harness.js'

const refused = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })
const wrongNetwork = new ChainRpcError('connect', new Error('mainnet'), { code: 'wrong-network' })
const elsewhere = { ...target, urls: [B] }

describe('a connection that fails', () => {
  it(
    'doubles the delay after each failure, then ends in error',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler)
      node.onDial(() => m.cold('     -#', undefined, refused))
      const script = '  -c'
      const expected = 'dcw---1w-------2w---------------3e'
      m.expect(during(letters$, m.hot(script), { c: () => track(connection.connect(target)) })).toBeObservable(expected)
    }),
  )

  it(
    'ends in error at once with NO_RETRIES',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler, { policy: NO_RETRIES })
      node.onDial(() => m.cold('-#', undefined, refused))
      m.expect(during(letters$, m.hot('-c'), { c: () => track(connection.connect(target)) })).toBeObservable('dce')
    }),
  )

  it(
    'ends in error at once if the only endpoint serves another network',
    marbles((m) => {
      const { connection, letters$ } = createHarness(m.scheduler, { establish: () => throwError(() => wrongNetwork) })
      m.expect(during(letters$, m.hot('-c'), { c: () => track(connection.connect(target)) })).toBeObservable('d(ce)')
    }),
  )

  it(
    'fails an attempt after connectTimeout and closes its socket',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler, { establish: () => NEVER })
      const actions = { c: () => track(connection.connect(target)) }
      m.expect(during(letters$, m.hot('-c'), actions), '^ 30ms !').toBeObservable('dc 19ms w---1')
      m.flush()
      expect(new Set(node.sockets.map(({ status }) => status))).toEqual(new Set(['closed']))
    }),
  )

  it(
    'dials at once when the network returns, also from error',
    marbles((m) => {
      const { node, platform, connection, letters$ } = createHarness(m.scheduler, { policy: NO_RETRIES })
      node.onDial(() => m.cold('-#', undefined, refused))
      const actions = {
        c: () => track(connection.connect(target)),
        f: () => platform.online$.next(false),
        n: () => platform.online$.next(true),
      }
      const script = '  -c--f--n'
      const expected = 'dce----ce'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
    }),
  )

  it(
    'makes no attempt while there is no network',
    marbles((m) => {
      const { node, platform, connection, letters$ } = createHarness(m.scheduler)
      node.onDial(() => (platform.online$.value ? of(undefined) : m.cold('-#', undefined, refused)))
      const actions = {
        c: () => track(connection.connect(target)),
        f: () => platform.online$.next(false),
        n: () => platform.online$.next(true),
      }
      const script = '  -f-c----------------n'
      const expected = 'd--cw---------------(1o)'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
    }),
  )
})

describe('an established connection', () => {
  it(
    'reconnects within 250 ms of a drop, and resets its retries after each handshake',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler)
      const actions = { c: () => track(connection.connect(target)), x: () => node.drop() }
      const script = '  -c---x--------x'
      const expected = 'd(co)w----(1o)w----(1o)'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
    }),
  )

  it(
    'ends in error after a drop with NO_RETRIES',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler, { policy: NO_RETRIES })
      const actions = { c: () => track(connection.connect(target)), x: () => node.drop() }
      m.expect(during(letters$, m.hot('-c---x'), actions)).toBeObservable('d(co)e')
    }),
  )

  it(
    'stays disconnected after disconnect(), without sockets or timers',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler)
      const actions = {
        c: () => track(connection.connect(target)),
        d: () => connection.disconnect(),
        x: () => node.drop(),
      }
      const script = '  -c---d-x-c---x-d'
      const expected = 'd(co)d---(co)w-d'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
      m.flush()
      expect(node.sockets.map(({ status }) => status)).toEqual(['closed', 'closed'])
    }),
  )

  it(
    'rotates to the next endpoint after each drop',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler)
      const two = { ...target, urls: [A, B] }
      const actions = { c: () => track(connection.connect(two)), x: () => node.drop() }
      m.expect(during(letters$, m.hot('-c---x--------x'), actions)).toBeObservable('d(co)w----(1o)w----(1o)')
      m.flush()
      expect(node.dialled).toEqual([A, B, A])
    }),
  )
})

describe('a socket', () => {
  it(
    'is closed if it opens after disconnect()',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler)
      node.onDial(() => m.cold('-----(a|)'))
      const actions = { c: () => track(connection.connect(target)), d: () => connection.disconnect() }
      m.expect(during(letters$, m.hot('-c--d----------'), actions)).toBeObservable('dc--d')
      m.flush()
      expect(node.sockets).toEqual([])
    }),
  )

  it(
    'of a superseded attempt is ignored, however late its handshake is done',
    marbles((m) => {
      const { node, connection, letters$ } = createHarness(m.scheduler, {
        establish: ({ endpoint }) => concat(m.cold(endpoint.url === A ? '------(s|)' : '--(s|)'), NEVER),
      })
      const actions = { a: () => track(connection.connect(target)), b: () => track(connection.connect(elsewhere)) }
      const script = '  -a--b'
      const expected = 'dc--c-o'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
      m.flush()
      expect(node.sockets.map(({ endpoint, status }) => `${endpoint.url} ${status}`)).toEqual([
        `${A} closed`,
        `${B} open`,
      ])
    }),
  )
})

describe('a resolver', () => {
  const viaResolver = { ...target, urls: [], resolver: 'use' as const }

  it(
    'is queried for each attempt, with the URLs to avoid',
    marbles((m) => {
      const avoided: string[][] = []
      const { node, connection, letters$ } = createHarness(m.scheduler, {
        resolve: ({ avoid }) => {
          avoided.push([...avoid])
          return m.cold('-(a|)', { a: avoided.length === 1 ? A : B })
        },
      })
      const actions = { c: () => track(connection.connect(viaResolver)), x: () => node.drop() }
      const script = '  -c-----x'
      // resolving, then dialling the resolved node
      const expected = 'dc(co)-w----1(1o)'
      m.expect(during(letters$, m.hot(script), actions)).toBeObservable(expected)
      m.flush()
      expect(node.dialled).toEqual([A, B])
      expect(avoided).toEqual([[], ['resolver', A]])
    }),
  )

  it(
    'fails the attempt on a timeout',
    marbles((m) => {
      const { connection, letters$ } = createHarness(m.scheduler, { resolve: () => NEVER, policy: NO_RETRIES })
      m.expect(during(letters$, m.hot('-c'), { c: () => track(connection.connect(viaResolver)) })).toBeObservable(
        'dc 19ms e',
      )
    }),
  )
})

describe('the promise of connect()', () => {
  const create = (deps?: Parameters<typeof createHarness>[1]) => createHarness(asyncScheduler, deps)

  it('resolves once connected', async () => {
    const { connection } = create()
    await expect(connection.connect(target)).resolves.toBeUndefined()
  })

  it('shares one dial for equal targets', async () => {
    const { node, connection } = create()
    await Promise.all([connection.connect(target), connection.connect(target), connection.connect({ ...target })])
    expect(node.dialled).toEqual([A])
  })

  it('rejects with the error of the last attempt', async () => {
    const { connection } = create({ policy: NO_RETRIES, establish: () => throwError(() => refused) })
    await expect(connection.connect(target)).rejects.toBe(refused)
  })

  it('rejects as superseded on a connect to another target or a reconnect', async () => {
    const { connection } = create({ establish: () => NEVER })
    const attempts = [
      track(connection.connect(target)),
      track(connection.connect(elsewhere)),
      track(connection.reconnect()),
    ]
    await settle()
    expect(attempts.map(({ outcome }) => outcome)).toEqual(['superseded', 'superseded', 'pending'])
  })

  it('rejects as aborted on disconnect() at any step', async () => {
    const { connection } = create({ establish: () => NEVER })
    const waiting = track(connection.connect(target))
    connection.disconnect()
    await settle()
    expect(waiting.outcome).toBe('aborted')
    expect(connection.state.status).toBe('disconnected')
  })

  it('rejects as aborted on dispose()', async () => {
    const { node, connection } = create({ establish: () => NEVER })
    const waiting = track(connection.connect(target))
    connection.dispose()
    connection.dispose()
    await settle()
    expect(waiting.outcome).toBe('aborted')
    expect(node.sockets.map(({ status }) => status)).toEqual(['closed'])
  })

  it('settles correctly when called inside a state change', async () => {
    const { connection } = create({
      policy: NO_RETRIES,
      establish: ({ endpoint }) => (endpoint.url === A ? throwError(() => refused) : concat(of('session'), NEVER)),
    })
    const second: { outcome: string }[] = []
    connection.state$.subscribe(({ status }) => {
      if (status === 'error') second.push(track(connection.connect(elsewhere)))
    })
    const first = track(connection.connect(target))
    await settle()
    expect([first.outcome, ...second.map(({ outcome }) => outcome)]).toEqual(['connect-failed', 'resolved'])
  })
})
