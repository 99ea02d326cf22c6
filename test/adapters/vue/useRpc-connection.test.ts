// @vitest-environment happy-dom
import { NEVER, Subject, asyncScheduler, of, throwError } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { useRpc } from '../../../src/adapters/vue/composables/useRpc.js'
import type { VueChainOptions } from '../../../src/adapters/vue/plugin/options.js'
import { ChainNotReadyError } from '../../../src/errors/not-ready-error.js'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { createTestPlatform } from '../../../src/testing/platform.js'
import { createScriptedNode } from '../../../src/testing/scripted-node.js'
import { withApp } from './with-app.js'

const refused = new ChainRpcError('connect', new Error('refused'), { code: 'connect-failed', hint: 'Start the node.' })

/** `useRpc()` in an app with these options, with a scripted node. */
function mount(options: VueChainOptions) {
  const node = createScriptedNode({ scheduler: asyncScheduler })
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  const { result: rpc } = withApp(node, useRpc, { ...options, ports: { node, platform } })
  return { node, platform, rpc }
}

describe('the connection state of useRpc', () => {
  it('shows retry count, next retry and last error, and resets them once connected', async () => {
    const { node, platform, rpc } = mount({ reconnect: { maxRetries: 5, baseDelay: 5_000, jitter: 0 } })
    node.onDial(() => throwError(() => refused))
    const begun = platform.now()
    const connecting = rpc.connect()
    await expect.poll(() => rpc.attempt.value).toBe(1)
    expect(rpc.connectionState.value).toBe('connecting')
    expect(rpc.error.value).toBe(refused)
    expect((rpc.nextRetryAt.value ?? 0) - begun).toBeGreaterThanOrEqual(5_000)
    expect(rpc.url.value).toBeNull()

    node.onDial(() => of(undefined))
    platform.online$.next(false)
    platform.online$.next(true) // back online: retries at once
    await connecting
    expect([rpc.attempt.value, rpc.nextRetryAt.value, rpc.error.value]).toEqual([0, null, null])
    expect([rpc.connectionState.value, rpc.url.value]).toEqual(['connected', 'ws://127.0.0.1:17510'])
  })

  it("ends in 'error' after maxRetries; reconnect() and an online event connect again", async () => {
    const { node, platform, rpc } = mount({ reconnect: { maxRetries: 2, baseDelay: 1, factor: 1 } })
    node.onDial(() => throwError(() => refused))
    await expect(rpc.connect()).rejects.toBe(refused)
    expect([rpc.connectionState.value, rpc.attempt.value, node.dialled.length]).toEqual(['error', 2, 3])

    node.onDial(() => of(undefined))
    await rpc.reconnect()
    expect(rpc.connectionState.value).toBe('connected')

    node.onDial(() => throwError(() => refused))
    node.drop()
    await expect.poll(() => rpc.connectionState.value).toBe('error')
    node.onDial(() => of(undefined))
    platform.online$.next(false)
    platform.online$.next(true)
    await expect.poll(() => rpc.connectionState.value).toBe('connected')
  })

  it('sends heartbeats as configured', async () => {
    const { node, rpc } = mount({ heartbeat: { interval: 20, timeout: 10 }, reconnect: false })
    await rpc.connect()
    node.respond('ping', () => NEVER)
    await expect.poll(() => rpc.connectionState.value).toBe('error')
    expect(rpc.error.value).toMatchObject({
      code: 'connection-lost',
      cause: { message: 'ws://127.0.0.1:17510 did not respond to a ping within 10 ms' },
    })
  })

  it('aborts a call after requestTimeout', async () => {
    const { node, rpc } = mount({ requestTimeout: 30, reconnect: false })
    node.respond('getSink', () => NEVER)
    await rpc.connect()
    await expect(rpc.getSink()).rejects.toMatchObject({ code: 'timeout' })
  })

  it('aborts an attempt after connectTimeout, with a hint', async () => {
    const { node, rpc } = mount({ connectTimeout: 20, reconnect: false })
    node.onDial(() => NEVER)
    await expect(rpc.connect()).rejects.toMatchObject({
      code: 'timeout',
      hint: 'Check that a node listens there with wRPC in this encoding, or raise connectTimeout.',
    })
  })

  it('tries the next endpoint after a wrong network, and reports a wrong network as its own code', async () => {
    const { node, rpc } = mount({ url: 'ws://a.example', urls: ['ws://b.example'] })
    node.respond('getServerInfo', (_, { endpoint }) =>
      fixtures.serverInfo({ networkId: endpoint.url === 'ws://a.example' ? 'mainnet' : 'simnet' }),
    )
    await rpc.connect()
    expect(rpc.url.value).toBe('ws://b.example')
    await expect(rpc.connect({ url: 'ws://a.example' })).rejects.toMatchObject({
      code: 'wrong-network',
      hint: "Set url to a simnet node, or set network to the node's network.",
      cause: { message: 'The node at ws://a.example serves mainnet, not simnet' },
    })
  })
})

describe.each(['connect', 'reconnect'] as const)('the signal of %s()', (method) => {
  it('ends the wait, not the attempt, which other callers share', async () => {
    const { node, rpc } = mount({})
    const opened$ = new Subject<undefined>()
    node.onDial(() => opened$)
    const controller = new AbortController()
    const aborted = rpc[method]({ signal: controller.signal })
    const shared = rpc.connect()
    controller.abort('enough')
    await expect(aborted).rejects.toMatchObject({ method: 'connect', code: 'aborted', cause: 'enough' })
    expect(rpc.connectionState.value).toBe('connecting')
    opened$.next(undefined)
    await shared
  })

  it('rejects at once if it is aborted already', async () => {
    const { rpc } = mount({})
    await expect(rpc[method]({ signal: AbortSignal.abort('late') })).rejects.toMatchObject({ code: 'aborted' })
  })
})

it('names endpoint and reason in a call after connect() has failed', async () => {
  const { node, rpc } = mount({ url: 'ws://127.0.0.1:9', reconnect: false })
  node.onDial(() =>
    throwError(() => new ChainRpcError('connect', new Error('ws://127.0.0.1:9 refused the connection'))),
  )
  await expect(rpc.connect()).rejects.toThrow()
  const error: unknown = await rpc.getSink().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ChainRpcError)
  expect(error).toMatchObject({
    code: 'not-connected',
    details: expect.stringContaining('ws://127.0.0.1:9 refused the connection') as string,
    hint: 'Await connect(), or wait for the connection state "connected".',
  })
})

it('speaks of the connection, not of WASM, in a call before connect()', async () => {
  const { rpc } = mount({})
  const error: unknown = await rpc.getSink().catch((cause: unknown) => cause)
  expect(error).toBeInstanceOf(ChainNotReadyError)
  expect(String(error)).toBe(
    'ChainNotReadyError: "getSink" was called before there was a connection to a node\n' +
      'Hint: Await connect(), or wait for the connection state "connected".',
  )
})
