import { map, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { ConnectionState } from '../../../src/streams/connection/state.js'
import { createEngineHarness, record } from './engine-harness.js'

const toStatus = ({ status }: ConnectionState): string => status
const refused = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed' })

describe('connection.state$', () => {
  it('replays the current state to a late subscriber', async () => {
    const { engine } = createEngineHarness()
    expect(record(engine.connection.state$).received.map(toStatus)).toEqual(['disconnected'])
    await engine.connection.connect()
    expect(record(engine.connection.state$).received.map(toStatus)).toEqual(['connected'])
  })

  it('is shared: a second subscriber gets the same states on one connection', async () => {
    const { engine, node } = createEngineHarness()
    const [first, second] = [record(engine.connection.state$), record(engine.connection.state$)]
    await engine.connection.connect()
    node.drop()
    await expect.poll(() => first.received.at(-1)?.status).toBe('connected')
    expect(second.received).toEqual(first.received)
    expect(node.sockets.filter(({ status }) => status === 'open')).toHaveLength(1)
  })

  it('emits changes in order, also where a subscriber causes the next change', async () => {
    const { engine } = createEngineHarness()
    engine.connection.state$.subscribe(({ status }) => {
      if (status === 'connected') void engine.connection.disconnect()
    })
    const { received } = record(engine.connection.state$)
    await engine.connection.connect()
    expect(received.map(toStatus)).toEqual(['disconnected', 'connecting', 'connected', 'disconnected'])
  })

  it('emits only changes: internal events without a new state are not emitted', async () => {
    const { engine, node } = createEngineHarness()
    const { received } = record(engine.connection.state$)
    // a recorded endpoint failure and a restarted attempt do not change the state
    node.respond('getServerInfo', () => throwError(() => refused))
    const attempts = [engine.connection.connect(), engine.connection.reconnect()].map((one) => one.catch(() => null))
    await engine.connection.disconnect()
    await Promise.all(attempts)
    const seen = received.map((state) => JSON.stringify(state))
    seen.forEach((state, at) => expect(state).not.toBe(seen[at - 1]))
  })

  it('never errors: a failure is a value with its cause', async () => {
    const { engine, node } = createEngineHarness({ reconnect: false })
    const { received, end } = record(engine.connection.state$)
    node.onDial(() => throwError(() => refused))
    await expect(engine.connection.connect()).rejects.toBe(refused)
    expect(received.at(-1)).toMatchObject({ status: 'error', error: refused, attempt: 0, nextRetryAt: null })
    expect(end).toEqual([])
  })

  it('completes with the engine, disconnected', async () => {
    const { engine } = createEngineHarness()
    const { received, end } = record(engine.connection.state$.pipe(map(toStatus)))
    await engine.connection.connect()
    await engine.dispose()
    expect([received.at(-1), end]).toEqual(['disconnected', ['complete']])
    expect(record(engine.connection.state$).end).toEqual(['complete'])
  })

  it('does not connect on subscription', async () => {
    const { engine, node } = createEngineHarness()
    record(engine.connection.state$)
    expect(node.dialled).toEqual([])
  })
})
