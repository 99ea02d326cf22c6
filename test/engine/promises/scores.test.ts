import { of, type Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { GREETING, createScene, type Scene } from './chain-node.js'

let scene: Scene
beforeEach(async () => {
  scene = await createScene()
})
afterEach(() => scene.engine.dispose())

function listen(score$: Observable<bigint>): { heard: bigint[]; end: string[]; leave: () => void } {
  const heard: bigint[] = []
  const end: string[] = []
  const listening = score$.subscribe({
    next: (score) => heard.push(score),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  return { heard, end, leave: () => listening.unsubscribe() }
}

const SCORES = [
  ['virtualDaaScore$', 'virtual-daa-score-changed', 0n], // the greeting says 0
  ['sinkBlueScore$', 'sink-blue-score-changed', 1n], // the node is asked for it
] as const

describe.each(SCORES)('%s', (name, type, first) => {
  const score$ = (): Observable<bigint> => scene.engine[name]

  it('says the score of now, then each change, and nothing twice', async () => {
    const { heard } = listen(score$())
    await scene.settle()
    scene.node.grow('a')
    scene.node.grow('x', 1) // the score stands
    scene.node.grow('y')
    expect(heard).toEqual([first, 2n, 3n])
  })

  it('is shared: who comes late gets the latest at once, and costs the node nothing', async () => {
    listen(score$())
    await scene.settle()
    scene.node.grow('a')
    const asked = scene.node.calls.length
    expect(listen(score$()).heard).toEqual([2n])
    await scene.settle()
    expect(scene.node.calls.length).toBe(asked)
    expect(scene.node.count('subscribe', type)).toBe(1)
  })

  it('goes on after an outage with what the new connection says', async () => {
    const { heard } = listen(score$())
    await scene.settle()
    scene.node.drop()
    await expect.poll(() => scene.node.count('subscribe', type)).toBe(2)
    scene.node.grow('a')
    await expect.poll(() => heard).toEqual([first, 2n])
  })

  it("begins anew with another network: who comes then hears nothing of the old one's", async () => {
    const { heard } = listen(score$())
    await scene.settle()
    scene.node.grow('a')
    const switching = scene.engine.switchNetwork('devnet')
    expect(listen(score$()).heard).toEqual([])
    scene.node.answer('getServerInfo', () => of({ ...GREETING, networkId: 'devnet', virtualDaaScore: 2n }))
    await switching
    await expect.poll(() => heard).toHaveLength(3)
    expect(heard).toEqual([first, 2n, 2n])
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = listen(score$())
    scene.node.drop()
    await scene.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('has the node told when the last listener has left', async () => {
    const { leave } = listen(score$())
    await scene.settle()
    leave()
    await expect.poll(() => scene.node.count('unsubscribe', type)).toBe(1)
  })
})
