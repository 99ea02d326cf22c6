import { NEVER, of } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AcceptanceChange, Gap, SendersResolved } from '../../../src/streams/acceptance/change.js'
import { GREETING, createScene, hash, letter, type Scene } from './chain-node.js'

let scene: Scene
beforeEach(async () => {
  scene = await createScene()
})
afterEach(() => scene.engine.dispose())

/** `+a` accepted, `-a` taken back. */
const show = ({ type, transactionId }: AcceptanceChange): string =>
  `${type === 'accepted' ? '+' : '-'}${letter(transactionId)}`

/** Listens from now on; what it hears, as words. */
function listen(options: { from?: string } = {}): { heard: string[]; end: string[]; leave: () => void } {
  const heard: string[] = []
  const end: string[] = []
  const listening = scene.engine.acceptedTransactions$(options).subscribe({
    next: (change) => heard.push(show(change)),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  return { heard, end, leave: () => listening.unsubscribe() }
}

describe('acceptedTransactions$', () => {
  it('tells in the order of the chain; a reorg first takes back, the newest first', async () => {
    const { heard } = listen()
    await scene.settle()
    scene.node.grow('abc')
    scene.node.grow('xy', 2)
    await scene.settle()
    expect(heard).toEqual(['+a', '+b', '+c', '-c', '-b', '+x', '+y'])
  })

  it('tells also of what came while it was finding its place', async () => {
    const { heard } = listen()
    scene.node.grow('a')
    await scene.settle()
    scene.node.grow('b')
    await scene.settle()
    expect(heard).toEqual(['+a', '+b'])
  })

  it('is shared: who comes second costs the node nothing, and hears nothing of the past', async () => {
    const first = listen()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    const asked = scene.node.calls.length
    const second = listen()
    await scene.settle()
    expect(scene.node.calls.length).toBe(asked)
    scene.node.grow('b')
    await scene.settle()
    expect([first.heard, second.heard]).toEqual([['+a', '+b'], ['+b']])
  })

  it('tells after an outage what was accepted in it, once', async () => {
    const { heard } = listen()
    await scene.settle()
    scene.node.grow('ab')
    await scene.settle()
    scene.node.drop()
    scene.node.grow('xy', 1)
    await expect.poll(() => heard).toEqual(['+a', '+b', '-b', '+x', '+y'])
    scene.node.grow('z')
    await expect.poll(() => heard.at(-1)).toBe('+z')
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = listen()
    await scene.settle()
    scene.node.answer('getVirtualChainFromBlock', () => {
      throw new Error('nobody expects this')
    })
    scene.node.drop()
    await scene.settle()
    await scene.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('has the node told when the last listener has left, and keeps its place for one that comes back at once', async () => {
    const first = listen()
    await scene.settle()
    first.leave()
    scene.node.grow('a')
    const second = listen()
    await scene.settle()
    scene.node.grow('b')
    await scene.settle()
    expect(second.heard).toEqual(['+b'])
    second.leave()
    await expect.poll(() => scene.node.count('unsubscribe', 'virtual-chain-changed')).toBe(1)
  })

  it('begins at a given block with what was accepted since', async () => {
    scene.node.grow('abc')
    const { heard } = listen({ from: hash('a') })
    await expect.poll(() => heard).toEqual(['+b', '+c'])
    scene.node.grow('d')
    await expect.poll(() => heard).toEqual(['+b', '+c', '+d'])
  })

  it('refuses to begin at what is no hash', () => {
    expect(() => scene.engine.acceptedTransactions$({ from: 'ab' })).toThrow(
      '"from" is ab: give the hash of a chain block, 64 hex digits',
    )
  })

  it('tells who paid as soon as that is known, and does not wait for it', async () => {
    const heard: string[] = []
    scene.node.answer('getVirtualChainFromBlockV2', () => NEVER)
    scene.engine
      .acceptedTransactions$({ includeSenderAddresses: true })
      .subscribe((change: AcceptanceChange | SendersResolved) => heard.push(change.type))
    await scene.settle()
    scene.node.grow('a')
    scene.node.grow('b')
    await scene.settle()
    expect(heard).toEqual(['accepted', 'accepted'])
  })

  it('asks once a block at most who paid, also for one who has begun at a block of an earlier run', async () => {
    scene.node.answer('getVirtualChainFromBlockV2', () =>
      of({ removedChainBlockHashes: [], addedChainBlockHashes: [], chainBlockAcceptedTransactions: [] }),
    )
    scene.node.grow('abc')
    const asked = scene.node.calls.length
    scene.engine.acceptedTransactions$({ from: hash('a'), includeSenderAddresses: true }).subscribe()
    const senders = (): string[] =>
      scene.node.calls
        .slice(asked)
        .map(({ method }) => method)
        .filter((method) => ['getBlock', 'getSinkBlueScore', 'getVirtualChainFromBlockV2'].includes(method))
    await expect.poll(() => senders().length).toBeGreaterThan(1)
    await scene.settle()
    expect(senders()).toEqual(['getVirtualChainFromBlockV2', 'getVirtualChainFromBlockV2'])
  })

  it('begins anew on another network, without a gap', async () => {
    const gaps: Gap[] = []
    scene.engine.gaps$.subscribe((gap) => gaps.push(gap))
    const { heard } = listen()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    scene.node.answer('getServerInfo', () => of({ ...GREETING, networkId: 'devnet' }))
    await scene.engine.switchNetwork('devnet')
    await scene.settle()
    scene.node.grow('b')
    await scene.settle()
    expect(heard).toEqual(['+a', '+b'])
    expect(gaps).toEqual([])
  })
})
