import { asapScheduler, config } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createScene, letter, type Scene } from './chain-node.js'

let scene: Scene
beforeEach(async () => {
  scene = await createScene()
})
afterEach(async () => {
  config.onUnhandledError = null
  await scene.engine.dispose()
})

describe('events$', () => {
  it('hands each notification to every listener once, in one envelope with the time of its arrival', async () => {
    const first: unknown[] = []
    const second: unknown[] = []
    scene.engine.events$('sink-blue-score-changed').subscribe((event) => first.push(event))
    scene.engine.events$('sink-blue-score-changed').subscribe((event) => second.push(event))
    await scene.settle()
    scene.node.grow('a')
    expect(first).toEqual([
      { type: 'sink-blue-score-changed', data: { sinkBlueScore: 2n }, timestamp: expect.any(Number) as number },
    ])
    expect(second[0]).toBe(first[0])
    expect(scene.node.count('subscribe', 'sink-blue-score-changed')).toBe(1)
  })

  it('refuses what is no event at once: nobody would ever hear of it', () => {
    const listen = (): unknown => scene.engine.events$('block_added' as 'block-added')
    expect(listen).toThrow(
      expect.objectContaining({
        message: 'There is no event "block_added"',
        argument: 'type',
        code: 'invalid-argument',
        hint:
          'Give one of connect, disconnect, utxos-changed, virtual-chain-changed, block-added, finality-conflict, ' +
          'finality-conflict-resolved, sink-blue-score-changed, virtual-daa-score-changed, ' +
          'pruning-point-utxo-set-override, new-block-template.',
      }),
    )
  })

  it('replays nothing, and keeps the order of the node within a type', async () => {
    const early: string[] = []
    const late: string[] = []
    scene.engine.events$('block-added').subscribe(({ data }) => early.push(letter(data.block.header.hash)))
    await scene.settle()
    scene.node.grow('ab')
    scene.engine.events$('block-added').subscribe(({ data }) => late.push(letter(data.block.header.hash)))
    scene.node.grow('c')
    expect([early, late]).toEqual([['a', 'b', 'c'], ['c']])
  })

  it('goes on after an outage with what comes then; what came meanwhile is not told by it', async () => {
    const heard: string[] = []
    scene.engine.events$('block-added').subscribe(({ data }) => heard.push(letter(data.block.header.hash)))
    await scene.settle()
    scene.node.drop()
    scene.node.grow('a')
    await expect.poll(() => scene.node.count('subscribe', 'block-added')).toBe(2)
    scene.node.grow('b')
    expect(heard).toEqual(['b'])
  })

  it('lets the others hear where a listener throws', async () => {
    const thrown: unknown[] = []
    config.onUnhandledError = (error) => thrown.push(error)
    const heard: string[] = []
    scene.engine.events$('block-added').subscribe(() => {
      throw new Error('a listener of the app')
    })
    scene.engine.events$('block-added').subscribe(({ data }) => heard.push(letter(data.block.header.hash)))
    await scene.settle()
    scene.node.grow('ab')
    await new Promise((resolve) => asapScheduler.schedule(resolve))
    await scene.settle()
    expect(heard).toEqual(['a', 'b'])
    expect(thrown).toEqual([new Error('a listener of the app'), new Error('a listener of the app')])
  })

  it('tells of the connection itself, and asks the node for nothing then', async () => {
    const heard: string[] = []
    scene.engine.events$('connect').subscribe(({ data }) => heard.push(`connect ${data.url}`))
    scene.engine.events$('disconnect').subscribe(({ data }) => heard.push(`disconnect ${data.url}`))
    const asked = scene.node.count('subscribe', 'block-added')
    scene.node.drop()
    await expect.poll(() => heard).toEqual(['disconnect ws://127.0.0.1:17510', 'connect ws://127.0.0.1:17510'])
    expect(scene.node.count('subscribe', 'block-added')).toBe(asked)
  })

  it('completes with the engine, and never errors', async () => {
    const ends: string[] = []
    for (const type of ['connect', 'block-added', 'utxos-changed'] as const) {
      scene.engine.events$(type).subscribe({
        error: () => ends.push('error'),
        complete: () => ends.push(type),
      })
    }
    scene.node.drop()
    await scene.engine.dispose()
    expect(ends).toEqual(['connect', 'block-added', 'utxos-changed'])
  })

  it('has the node told a second after the last listener has left', async () => {
    const listeners = [1, 2].map(() => scene.engine.events$('new-block-template').subscribe())
    await scene.settle()
    const left = performance.now()
    for (const listener of listeners) listener.unsubscribe()
    expect(scene.node.count('unsubscribe', 'new-block-template')).toBe(0)
    await expect.poll(() => scene.node.count('unsubscribe', 'new-block-template')).toBe(1)
    expect(performance.now() - left).toBeGreaterThan(950) // a timer may be some ms early, and a busy machine late
  })
})
