import { asyncScheduler, firstValueFrom, lastValueFrom, toArray, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { createCore, type ChainCore } from '../../src/engine/core.js'
import { feature } from '../../src/engine/feature.js'
import { scores } from '../../src/engine/features/scores.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import { createScriptedNode, type ScriptedNode } from '../../src/testing/scripted-node.js'

function createScene(options: object = {}): { core: ChainCore; node: ScriptedNode } {
  const node = createScriptedNode()
  const platform = createTestPlatform({ scheduler: asyncScheduler })
  return { node, core: createCore({ network: 'simnet', ports: { node, platform }, ...options }) }
}

describe('a core', () => {
  it('does no work when it is made, nor when its connection is watched', async () => {
    const { core, node } = createScene()
    core.connection.state$.subscribe()
    core.server$.subscribe()
    expect(node.dialled).toEqual([])
    await core.dispose()
  })

  it('dials for the first who listens to the node', async () => {
    const { core, node } = createScene()
    feature(core, scores).virtualDaaScore$.subscribe()
    expect(node.dialled).toEqual(['ws://127.0.0.1:17510'])
    await core.dispose()
  })

  it('dials for nobody where that is switched off, or once someone has hung up', async () => {
    const off = createScene({ autoConnect: false })
    feature(off.core, scores).virtualDaaScore$.subscribe()
    expect(off.node.dialled).toEqual([])
    const hungUp = createScene()
    await hungUp.core.connection.connect()
    await hungUp.core.connection.disconnect()
    feature(hungUp.core, scores).virtualDaaScore$.subscribe()
    expect(hungUp.node.dialled).toHaveLength(1)
    await Promise.all([off.core.dispose(), hungUp.core.dispose()])
  })

  it('makes one of each feature', () => {
    const { core } = createScene()
    expect(feature(core, scores)).toBe(feature(core, scores))
  })

  it('refuses a call before WASM is ready and anything was connected to, and tells later calls of the connection', async () => {
    const { core } = createScene()
    await expect(firstValueFrom(core.call('getSink', {}))).rejects.toMatchObject({ name: 'ChainNotReadyError' })
    await core.connection.connect()
    await core.connection.disconnect()
    await expect(firstValueFrom(core.call('getSink', {}))).rejects.toMatchObject({ code: 'not-connected' })
    await core.dispose()
  })

  it('closes its socket and completes every stream when it is disposed of, twice without harm', async () => {
    const { core, node } = createScene()
    await core.connection.connect()
    const streams: Observable<unknown>[] = [
      core.connection.state$,
      core.server$,
      core.network$,
      core.heard$,
      core.events$('block-added'),
    ]
    const ends = streams.map((stream$) => lastValueFrom(stream$.pipe(toArray())))
    await core.dispose()
    await core.dispose()
    await Promise.all(ends)
    expect(node.sockets.map(({ status }) => status)).toEqual(['closed'])
  })

  it('ends all else where a part of it does not end, and says so', async () => {
    const { core, node } = createScene()
    await core.connection.connect()
    const end = lastValueFrom(core.heard$.pipe(toArray()))
    const wasmEnd = lastValueFrom(core.wasm.status$)
    core.lifetime.add(() => {
      throw new Error('stubborn')
    })
    await expect(core.dispose()).rejects.toMatchObject({
      message: 'A part of the engine did not end',
      cause: { errors: [new Error('stubborn')] },
    })
    await Promise.all([end, wasmEnd, core.dispose()])
    expect(node.sockets.map(({ status }) => status)).toEqual(['closed'])
  })

  it('tells of the coming and going of its connection', async () => {
    const { core, node } = createScene({ reconnect: false })
    const told: string[] = []
    core.events$('connect').subscribe(({ data }) => told.push(`connect ${data.url}`))
    core.events$('disconnect').subscribe(({ data }) => told.push(`disconnect ${data.reason}`))
    await core.connection.connect()
    node.drop('the node went away')
    expect(told).toEqual([
      'connect ws://127.0.0.1:17510',
      'disconnect The connection to ws://127.0.0.1:17510 was lost: the node went away',
    ])
    await core.dispose()
  })
})
