import { asyncScheduler, firstValueFrom, lastValueFrom, toArray, type Observable } from 'rxjs'
import { describe, expect, expectTypeOf, it, onTestFinished } from 'vitest'
import type { ChainRpcError } from '../../src/errors/rpc-error.js'
import {
  type ChainCore,
  type PARTS,
  partsOf,
  type CoreParts,
  feature,
  publicFeature,
} from '../../src/engine/core-parts.js'
import { createCore, createParts } from '../../src/engine/core.js'
import { createChainEngine } from '../../src/engine/engine.js'
import { connection, network, scores } from '../../src/engine/features/node.js'
import { wasm } from '../../src/engine/features/keys.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../src/testing/scripted-node.js'

function createHarness(options: object = {}): { core: CoreParts; node: ScriptedNode } {
  const node = createScriptedNode()
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  const core = createParts({ network: 'simnet', ports: { node, platform }, ...options })
  onTestFinished(() => core.dispose())
  return { node, core }
}

describe('a core', () => {
  it('does not connect on creation, nor on a subscription to the connection state', async () => {
    const { core, node } = createHarness()
    core.connection.state$.subscribe()
    core.server$.subscribe()
    expect(node.dialled).toEqual([])
  })

  it('connects for the first subscriber that needs the node', async () => {
    const { core, node } = createHarness()
    feature(core, scores).virtualDaaScore$.subscribe()
    expect(node.dialled).toEqual(['ws://127.0.0.1:17510'])
  })

  it('does not connect with autoConnect false, nor after disconnect()', async () => {
    const withoutAutoConnect = createHarness({ autoConnect: false })
    feature(withoutAutoConnect.core, scores).virtualDaaScore$.subscribe()
    expect(withoutAutoConnect.node.dialled).toEqual([])
    const disconnected = createHarness()
    await disconnected.core.connection.connect()
    await disconnected.core.connection.disconnect()
    feature(disconnected.core, scores).virtualDaaScore$.subscribe()
    expect(disconnected.node.dialled).toHaveLength(1)
    await Promise.all([withoutAutoConnect.core.dispose(), disconnected.core.dispose()])
  })

  it('creates each feature once', () => {
    const { core } = createHarness()
    expect(feature(core, scores)).toBe(feature(core, scores))
  })

  it('gives apps its connection, network and WASM module by features, and nothing else', async () => {
    const node = createScriptedNode()
    const platform = createTestPlatform({ scheduler: asyncScheduler })
    const core = createCore({ network: 'simnet', ports: { node, platform } })
    expectTypeOf<keyof ChainCore>().toEqualTypeOf<'options' | 'dispose' | typeof PARTS>()
    expectTypeOf<ChainCore[typeof PARTS]>().toBeUnknown()
    const networks: string[] = []
    publicFeature(core, network).network$.subscribe((name) => networks.push(name))
    await publicFeature(core, connection).connect()
    await publicFeature(core, connection).disconnect()
    await publicFeature(core, network).switchNetwork('devnet')
    expect(networks).toEqual(['simnet', 'devnet'])
    expect(core.options.network).toBe('devnet')
    await expect(firstValueFrom(publicFeature(core, wasm).status$)).resolves.toMatchObject({ status: 'idle' })
    await core.dispose()
  })

  it('has one set of parts, for its engine too', async () => {
    const engine = createChainEngine({ network: 'simnet' })
    const { core } = createHarness()
    expect(partsOf(core)).toBe(core)
    expect(feature(partsOf(engine), scores).virtualDaaScore$).toBe(engine.virtualDaaScore$)
    expect(() => partsOf({ options: {}, dispose: () => Promise.resolve() })).toThrow(
      'This is no core and no engine of vue-chain',
    )
    await Promise.all([engine.dispose(), core.dispose()])
  })

  it('rejects calls with ChainNotReadyError before the first connection, with not-connected after it', async () => {
    const { core } = createHarness()
    await expect(firstValueFrom(core.call('getSink', {}))).rejects.toMatchObject({
      name: 'ChainNotReadyError',
      code: 'not-connected',
      message: '"getSink" was called before there was a connection to a node',
      hint: 'Await connect(), or wait for the connection state "connected".',
    })
    await core.connection.connect()
    await core.connection.disconnect()
    await expect(firstValueFrom(core.call('getSink', {}))).rejects.toMatchObject({ code: 'not-connected' })
  })

  it('names endpoint and reason in the calls after a failed connect()', async () => {
    const core = createParts({ network: 'simnet', url: 'ws://127.0.0.1:1', reconnect: false })
    await expect(core.connection.connect()).rejects.toMatchObject({ code: 'connect-failed' })
    const error: unknown = await firstValueFrom(core.call('getSink', {})).catch((reason: unknown) => reason)
    expect(error).toMatchObject({ name: 'ChainRpcError', code: 'not-connected', method: 'getSink' })
    expect((error as ChainRpcError).details).toMatch(/ws:\/\/127\.0\.0\.1:1 could not be reached.*ECONNREFUSED/)
    await core.dispose()
  })

  it('closes its socket and completes every stream on dispose(), which can be called twice', async () => {
    const { core, node } = createHarness()
    await core.connection.connect()
    const streams: Observable<unknown>[] = [
      core.connection.state$,
      core.server$,
      core.network$,
      core.received$,
      core.events$('block-added'),
    ]
    const ends = streams.map((stream$) => lastValueFrom(stream$.pipe(toArray())))
    await core.dispose()
    await core.dispose()
    await Promise.all(ends)
    expect(node.sockets.map(({ status }) => status)).toEqual(['closed'])
  })

  it('disposes all other parts and rejects where one part throws', async () => {
    const { core, node } = createHarness()
    await core.connection.connect()
    const end = lastValueFrom(core.received$.pipe(toArray()))
    const wasmEnd = lastValueFrom(core.wasm.status$)
    core.lifetime.add(() => {
      throw new Error('stubborn')
    })
    await expect(core.dispose()).rejects.toMatchObject({
      message: 'A part of the engine could not be disposed',
      cause: { errors: [new Error('stubborn')] },
    })
    await Promise.all([end, wasmEnd, core.dispose()])
    expect(node.sockets.map(({ status }) => status)).toEqual(['closed'])
  })

  it('emits connect and disconnect events', async () => {
    const { core, node } = createHarness({ reconnect: false })
    const events: string[] = []
    core.events$('connect').subscribe(({ data }) => events.push(`connect ${data.url}`))
    core.events$('disconnect').subscribe(({ data }) => events.push(`disconnect ${data.reason}`))
    await core.connection.connect()
    node.drop('the node went away')
    expect(events).toEqual([
      'connect ws://127.0.0.1:17510',
      'disconnect The connection to ws://127.0.0.1:17510 was lost: the node went away',
    ])
  })
})
