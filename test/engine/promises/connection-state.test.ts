import { map, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { ConnectionState } from '../../../src/streams/connection/state.js'
import { createEngineScene, listen } from './scene.js'

const toStatus = ({ status }: ConnectionState): string => status
const refused = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })

describe('connection.state$', () => {
  it('gives a late subscriber the current state at once', async () => {
    const { engine } = createEngineScene()
    expect(listen(engine.connection.state$).heard.map(toStatus)).toEqual(['disconnected'])
    await engine.connection.connect()
    expect(listen(engine.connection.state$).heard.map(toStatus)).toEqual(['connected'])
    await engine.dispose()
  })

  it('is shared: who comes second hears the same, and no second connection is made', async () => {
    const { engine, node } = createEngineScene()
    const [first, second] = [listen(engine.connection.state$), listen(engine.connection.state$)]
    await engine.connection.connect()
    node.drop()
    await expect.poll(() => first.heard.at(-1)?.status).toBe('connected')
    expect(second.heard).toEqual(first.heard)
    expect(node.sockets.filter(({ status }) => status === 'open')).toHaveLength(1)
    await engine.dispose()
  })

  it('tells every change in the order in which it came about, also where a listener brings about the next', async () => {
    const { engine } = createEngineScene()
    engine.connection.state$.subscribe(({ status }) => {
      if (status === 'connected') void engine.connection.disconnect()
    })
    const { heard } = listen(engine.connection.state$)
    await engine.connection.connect()
    expect(heard.map(toStatus)).toEqual(['disconnected', 'connecting', 'connected', 'disconnected'])
    await engine.dispose()
  })

  it('emits only changes: what goes on behind a state is not told', async () => {
    const { engine, node } = createEngineScene()
    const { heard } = listen(engine.connection.state$)
    // an endpoint's fault is remembered, an attempt is begun anew: nothing that anybody can see
    node.answer('getServerInfo', () => throwError(() => refused))
    const attempts = [engine.connection.connect(), engine.connection.reconnect()].map((one) => one.catch(() => null))
    await engine.connection.disconnect()
    await Promise.all(attempts)
    const seen = heard.map((state) => JSON.stringify(state))
    seen.forEach((state, at) => expect(state).not.toBe(seen[at - 1]))
    await engine.dispose()
  })

  it('never errors: a failure is a value in it, with its cause and the way out', async () => {
    const { engine, node } = createEngineScene({ reconnect: false })
    const { heard, end } = listen(engine.connection.state$)
    node.onDial(() => throwError(() => refused))
    await expect(engine.connection.connect()).rejects.toBe(refused)
    expect(heard.at(-1)).toMatchObject({ status: 'error', error: refused, attempt: 0, nextRetryAt: null })
    expect(end).toEqual([])
    await engine.dispose()
  })

  it('completes with the engine, disconnected', async () => {
    const { engine } = createEngineScene()
    const { heard, end } = listen(engine.connection.state$.pipe(map(toStatus)))
    await engine.connection.connect()
    await engine.dispose()
    expect([heard.at(-1), end]).toEqual(['disconnected', ['complete']])
    expect(listen(engine.connection.state$).end).toEqual(['complete'])
  })

  it('dials nothing by being watched', async () => {
    const { engine, node } = createEngineScene()
    listen(engine.connection.state$)
    expect(node.dialled).toEqual([])
    await engine.dispose()
  })
})
