import { throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { Gap } from '../../../src/streams/acceptance/change.js'
import { createScene, hash, letter, type Scene } from './chain-node.js'

let scene: Scene
beforeEach(async () => {
  scene = await createScene()
})
afterEach(() => scene.engine.dispose())

/** Listens to gaps: the stream, from where, to where. */
function listen(): { gaps: Gap[]; shown: () => string[]; end: string[] } {
  const gaps: Gap[] = []
  const end: string[] = []
  scene.engine.gaps$.subscribe({
    next: (gap) => gaps.push(gap),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  const name = (block: string | null): string => (block === null ? '?' : letter(block))
  return { gaps, end, shown: () => gaps.map(({ stream, from, to }) => `${stream} ${name(from)}..${name(to)}`) }
}

/** The connection is lost; meanwhile the chain grows, and the node forgets what was. */
const loseThePast = (): void => {
  scene.node.drop()
  scene.node.grow('bc')
  scene.node.forget()
}

describe('gaps$', () => {
  it('says from where to where acceptance could not be read, why, and before what follows the gap', async () => {
    const { gaps, shown } = listen()
    const told: string[] = []
    scene.engine.gaps$.subscribe(() => told.push('gap'))
    scene.engine.acceptedTransactions$().subscribe(({ transactionId }) => told.push(letter(transactionId)))
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    loseThePast()
    await expect.poll(shown).toEqual(['accepted-transactions a..c'])
    scene.node.grow('d')
    await expect.poll(() => told).toEqual(['a', 'gap', 'd'])
    expect(gaps[0]?.cause).toMatchObject({ code: 'remote', cause: new Error(`cannot find header ${hash('0')}`) })
    expect(gaps[0]?.timestamp).toBeGreaterThan(0)
  })

  it('says once what is missing for all who listen to acceptance, wherever they began', async () => {
    const { shown } = listen()
    scene.engine.acceptedTransactions$().subscribe()
    scene.engine.acceptedTransactions$({ from: hash('0') }).subscribe()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    loseThePast()
    await expect.poll(shown).toHaveLength(1)
    scene.node.grow('d')
    await scene.settle()
    loseThePast()
    await expect.poll(shown).toHaveLength(2)
    await scene.settle()
    expect(shown()).toEqual(['accepted-transactions a..c', 'accepted-transactions d..c'])
  })

  it('says where blocks could not be read', async () => {
    const { shown } = listen()
    scene.engine.blocks$().subscribe()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    loseThePast()
    await expect.poll(shown).toEqual(['blocks a..?'])
  })

  it('says nothing of what one may still hear: a node that did not answer is asked again', async () => {
    const { shown } = listen()
    const heard: string[] = []
    scene.engine.blocks$().subscribe(({ hash }) => heard.push(letter(hash)))
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    const slow = new ChainRpcError('getBlocks', new Error('slow'), { code: 'timeout' })
    let tries = 0
    const { node } = scene
    node.answer('getBlocks', (request) => (tries++ === 0 ? throwError(() => slow) : node.pages(request)))
    scene.node.drop()
    scene.node.grow('b')
    await expect.poll(() => heard).toEqual(['a', 'b'])
    expect([tries, shown()]).toEqual([3, []]) // a failure, a page, and the end
  })

  it('replays nothing, and asks the node for nothing', async () => {
    const before = scene.node.calls.length
    scene.engine.gaps$.subscribe()
    await scene.settle()
    expect(scene.node.calls.length).toBe(before)
    const first = listen()
    scene.engine.acceptedTransactions$().subscribe()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    loseThePast()
    await expect.poll(first.shown).toHaveLength(1)
    expect(listen().gaps).toEqual([])
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = listen()
    scene.node.drop()
    await scene.engine.dispose()
    expect(end).toEqual(['complete'])
  })
})
