import { of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GREETING, createScene, hash, letter, type Scene } from './chain-node.js'

let scene: Scene
beforeEach(async () => {
  scene = await createScene()
})
afterEach(() => scene.engine.dispose())

/** Listens from now on; the blocks it hears of, by their letters. */
function listen(): { heard: string[]; end: string[]; leave: () => void } {
  const heard: string[] = []
  const end: string[] = []
  const listening = scene.engine.blocks$().subscribe({
    next: (block) => heard.push(letter(block.hash)),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  return { heard, end, leave: () => listening.unsubscribe() }
}

describe('blocks$', () => {
  it('tells of each block once, in the order of the node, also of those that came while it was finding its place', async () => {
    const { heard } = listen()
    scene.node.grow('ab')
    await scene.settle()
    scene.node.grow('c')
    scene.node.grow('xy', 1)
    scene.node.notify({ type: 'block-added', data: { block: scene.node.block('x') } })
    await scene.settle()
    expect(heard).toEqual(['a', 'b', 'c', 'x', 'y'])
  })

  it('tells time, blue score and transactions', async () => {
    const blocks: unknown[] = []
    scene.engine.blocks$().subscribe((block) => blocks.push(block))
    await scene.settle()
    scene.node.grow('a')
    expect(blocks).toEqual([{ hash: hash('a'), timestamp: 5, blueScore: 1n, transactions: [] }])
  })

  it('is shared: who comes second costs the node nothing, and hears nothing of the past', async () => {
    const first = listen()
    await scene.settle()
    scene.node.grow('a')
    const asked = scene.node.calls.length
    const second = listen()
    scene.node.grow('b')
    await scene.settle()
    expect(scene.node.calls.length).toBe(asked)
    expect([first.heard, second.heard]).toEqual([['a', 'b'], ['b']])
  })

  it('tells after an outage what came in it, before what comes then', async () => {
    const { heard } = listen()
    await scene.settle()
    scene.node.drop() // before it was told of anything: its place is known all the same
    scene.node.grow('ab')
    await expect.poll(() => heard).toEqual(['a', 'b'])
    scene.node.drop()
    scene.node.grow('c')
    await expect.poll(() => heard).toEqual(['a', 'b', 'c'])
    scene.node.grow('d')
    expect(heard).toEqual(['a', 'b', 'c', 'd'])
  })

  it('asks for what came in a notification that could not be read', async () => {
    const { heard } = listen()
    await scene.settle()
    scene.node.grow('a')
    scene.node.sockets[0]!.garble('block-added')
    scene.node.grow('b')
    await expect.poll(() => heard).toEqual(['a', 'b'])
    expect(scene.node.calls.filter(({ method }) => method === 'getBlocks')).toHaveLength(1)
  })

  it('begins anew on another network, without a gap', async () => {
    const gaps: unknown[] = []
    scene.engine.gaps$.subscribe((gap) => gaps.push(gap))
    const { heard } = listen()
    await scene.settle()
    scene.node.grow('a')
    scene.node.answer('getServerInfo', () => of({ ...GREETING, networkId: 'devnet' }))
    await scene.engine.switchNetwork('devnet')
    await scene.settle()
    scene.node.grow('b')
    expect([heard, gaps]).toEqual([['a', 'b'], []])
    expect(scene.node.calls.some(({ method }) => method === 'getBlocks')).toBe(false)
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = listen()
    await scene.settle()
    scene.node.drop()
    await scene.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('has the node told when the last listener has left', async () => {
    const { leave } = listen()
    await scene.settle()
    leave()
    await expect.poll(() => scene.node.count('unsubscribe', 'block-added')).toBe(1)
  })
})
