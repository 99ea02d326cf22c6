import { NEVER, asyncScheduler, concat, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { NO_RETRIES } from '../../../src/streams/connection/policy.js'
import { marbles } from '../../marbles.js'
import { A, B, createScene, during, fate, settle, target } from './scene.js'

const refused = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })
const wrongNetwork = new ChainRpcError('connect', new Error('mainnet'), { code: 'wrong-network' })
const elsewhere = { ...target, urls: [B] }

describe('a connection that cannot be made', () => {
  it(
    'waits twice as long after each refusal, then rests in error',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler)
      node.onDial(() => m.cold('     -#', undefined, refused))
      const script = '  -c'
      const expected = 'dcw---1w-------2w---------------3e'
      m.expect(during(letters$, m.hot(script), { c: () => fate(connection.connect(target)) })).toBeObservable(expected)
    }),
  )

  it(
    'gives up at once where reconnecting is switched off',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler, { policy: NO_RETRIES })
      node.onDial(() => m.cold('-#', undefined, refused))
      m.expect(during(letters$, m.hot('-c'), { c: () => fate(connection.connect(target)) })).toBeObservable('dce')
    }),
  )

  it(
    'gives up at once where the only endpoint serves another network',
    marbles((m) => {
      const { connection, letters$ } = createScene(m.scheduler, { establish: () => throwError(() => wrongNetwork) })
      m.expect(during(letters$, m.hot('-c'), { c: () => fate(connection.connect(target)) })).toBeObservable('d(ce)')
    }),
  )

  it(
    'counts an attempt that says nothing for connectTimeout as failed, and hangs up',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler, { establish: () => NEVER })
      const deeds = { c: () => fate(connection.connect(target)) }
      m.expect(during(letters$, m.hot('-c'), deeds), '^ 30ms !').toBeObservable('dc 19ms w---1')
      m.flush()
      expect(new Set(node.sockets.map(({ status }) => status))).toEqual(new Set(['closed']))
    }),
  )

  it(
    'tries again at once, whatever its wait, when the network returns, also from error',
    marbles((m) => {
      const { node, platform, connection, letters$ } = createScene(m.scheduler, { policy: NO_RETRIES })
      node.onDial(() => m.cold('-#', undefined, refused))
      const deeds = {
        c: () => fate(connection.connect(target)),
        f: () => platform.online$.next(false),
        n: () => platform.online$.next(true),
      }
      const script = '  -c--f--n'
      const expected = 'dce----ce'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
    }),
  )

  it(
    'spends no attempt while there is no network',
    marbles((m) => {
      const { node, platform, connection, letters$ } = createScene(m.scheduler)
      node.onDial(() => (platform.online$.value ? of(undefined) : m.cold('-#', undefined, refused)))
      const deeds = {
        c: () => fate(connection.connect(target)),
        f: () => platform.online$.next(false),
        n: () => platform.online$.next(true),
      }
      const script = '  -f-c----------------n'
      const expected = 'd--cw---------------(1o)'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
    }),
  )
})

describe('an established connection', () => {
  it(
    'is made again within 250 ms of its loss, and its retries count anew after each handshake',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler)
      const deeds = { c: () => fate(connection.connect(target)), x: () => node.drop() }
      const script = '  -c---x--------x'
      const expected = 'd(co)w----(1o)w----(1o)'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
    }),
  )

  it(
    'rests in error once it is lost where reconnecting is switched off',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler, { policy: NO_RETRIES })
      const deeds = { c: () => fate(connection.connect(target)), x: () => node.drop() }
      m.expect(during(letters$, m.hot('-c---x'), deeds)).toBeObservable('d(co)e')
    }),
  )

  it(
    'does not come back after disconnect(), and leaves no socket and no timer',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler)
      const deeds = {
        c: () => fate(connection.connect(target)),
        d: () => connection.disconnect(),
        x: () => node.drop(),
      }
      const script = '  -c---d-x-c---x-d'
      const expected = 'd(co)d---(co)w-d'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
      m.flush()
      expect(node.sockets.map(({ status }) => status)).toEqual(['closed', 'closed'])
    }),
  )

  it(
    'moves to the next endpoint when it is lost, and back when that one fails',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler)
      const two = { ...target, urls: [A, B] }
      const deeds = { c: () => fate(connection.connect(two)), x: () => node.drop() }
      m.expect(during(letters$, m.hot('-c---x--------x'), deeds)).toBeObservable('d(co)w----(1o)w----(1o)')
      m.flush()
      expect(node.dialled).toEqual([A, B, A])
    }),
  )
})

describe('a socket', () => {
  it(
    'that opens after disconnect() is closed unheard',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler)
      node.onDial(() => m.cold('-----(a|)'))
      const deeds = { c: () => fate(connection.connect(target)), d: () => connection.disconnect() }
      m.expect(during(letters$, m.hot('-c--d----------'), deeds)).toBeObservable('dc--d')
      m.flush()
      expect(node.sockets).toEqual([])
    }),
  )

  it(
    'of a superseded attempt never speaks again, however late its handshake is done',
    marbles((m) => {
      const { node, connection, letters$ } = createScene(m.scheduler, {
        establish: ({ endpoint }) => concat(m.cold(endpoint.url === A ? '------(s|)' : '--(s|)'), NEVER),
      })
      const deeds = { a: () => fate(connection.connect(target)), b: () => fate(connection.connect(elsewhere)) }
      const script = '  -a--b'
      const expected = 'dc--c-o'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
      m.flush()
      expect(node.sockets.map(({ endpoint, status }) => `${endpoint.url} ${status}`)).toEqual([
        `${A} closed`,
        `${B} open`,
      ])
    }),
  )
})

describe('a resolver', () => {
  const asking = { ...target, urls: [], resolver: 'ask' as const }

  it(
    'is asked for each attempt, and told whom to avoid',
    marbles((m) => {
      const asked: string[][] = []
      const { node, connection, letters$ } = createScene(m.scheduler, {
        resolve: ({ avoid }) => {
          asked.push([...avoid])
          return m.cold('-(a|)', { a: asked.length === 1 ? A : B })
        },
      })
      const deeds = { c: () => fate(connection.connect(asking)), x: () => node.drop() }
      const script = '  -c-----x'
      // asking, then (having been told whom) dialling that one
      const expected = 'dc(co)-w----1(1o)'
      m.expect(during(letters$, m.hot(script), deeds)).toBeObservable(expected)
      m.flush()
      expect(node.dialled).toEqual([A, B])
      expect(asked).toEqual([[], ['resolver', A]])
    }),
  )

  it(
    'that names nobody in time is a failed attempt',
    marbles((m) => {
      const { connection, letters$ } = createScene(m.scheduler, { resolve: () => NEVER, policy: NO_RETRIES })
      m.expect(during(letters$, m.hot('-c'), { c: () => fate(connection.connect(asking)) })).toBeObservable('dc 19ms e')
    }),
  )
})

describe('the promise of connect()', () => {
  const asked = (deps?: Parameters<typeof createScene>[1]) => createScene(asyncScheduler, deps)

  it('resolves once connected', async () => {
    const { connection } = asked()
    await expect(connection.connect(target)).resolves.toBeUndefined()
  })

  it('is shared by all who want the same', async () => {
    const { node, connection } = asked()
    await Promise.all([connection.connect(target), connection.connect(target), connection.connect({ ...target })])
    expect(node.dialled).toEqual([A])
  })

  it('rejects with what the last attempt failed of', async () => {
    const { connection } = asked({ policy: NO_RETRIES, establish: () => throwError(() => refused) })
    await expect(connection.connect(target)).rejects.toBe(refused)
  })

  it('rejects as superseded when someone wants something else, or all anew', async () => {
    const { connection } = asked({ establish: () => NEVER })
    const fates = [fate(connection.connect(target)), fate(connection.connect(elsewhere)), fate(connection.reconnect())]
    await settle()
    expect(fates.map(({ said }) => said)).toEqual(['superseded', 'superseded', 'pending'])
  })

  it('rejects as cancelled by disconnect(), which wins whatever is under way', async () => {
    const { connection } = asked({ establish: () => NEVER })
    const waiting = fate(connection.connect(target))
    connection.disconnect()
    await settle()
    expect(waiting.said).toBe('cancelled')
    expect(connection.state.status).toBe('disconnected')
  })

  it('rejects when the engine is disposed of in the middle of it', async () => {
    const { node, connection } = asked({ establish: () => NEVER })
    const waiting = fate(connection.connect(target))
    connection.dispose()
    connection.dispose()
    await settle()
    expect(waiting.said).toBe('cancelled')
    expect(node.sockets.map(({ status }) => status)).toEqual(['closed'])
  })

  it('is right even where it is called from within a change of the state', async () => {
    const { connection } = asked({
      policy: NO_RETRIES,
      establish: ({ endpoint }) => (endpoint.url === A ? throwError(() => refused) : concat(of('session'), NEVER)),
    })
    const second: { said: string }[] = []
    connection.state$.subscribe(({ status }) => {
      if (status === 'error') second.push(fate(connection.connect(elsewhere)))
    })
    const first = fate(connection.connect(target))
    await settle()
    expect([first.said, ...second.map(({ said }) => said)]).toEqual(['connect-failed', 'resolved'])
  })
})
