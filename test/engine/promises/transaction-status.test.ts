import { of, throwError } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import type { TransactionStatus, TransactionStatusOptions } from '../../../src/streams/status/status.js'
import { createScene, hash, type Scene } from './chain-node.js'

/** One look at the mempool to the next, ms. */
const LOOK = 2_000

let scene: Scene
beforeEach(async () => {
  scene = await createScene()
  const absence = new ChainRpcError('getMempoolEntry', new Error('not found'), { code: 'remote' })
  scene.node.answer('getMempoolEntry', () => throwError(() => absence))
  scene.node.answer('getBlock', ({ hash }) =>
    of({ block: { header: { hash, blueScore: 2n, parentsByLevel: [] } } } as unknown as RpcResponse<'getBlock'>),
  )
})
afterEach(() => scene.engine.dispose())

/** Follows transaction `a`; what it says, as words. */
function follow(options?: TransactionStatusOptions) {
  const status$ = scene.engine.transactionStatus$(hash('a'), options)
  const listen = () => {
    const heard: string[] = []
    const end: string[] = []
    const show = ({ status, confirmations }: TransactionStatus): string =>
      status === 'accepted' ? `accepted ${confirmations}` : status
    const listening = status$.subscribe({
      next: (status) => heard.push(show(status)),
      error: () => end.push('error'),
      complete: () => end.push('complete'),
    })
    return { heard, end, leave: () => listening.unsubscribe() }
  }
  return { listen }
}

describe('transactionStatus$', () => {
  it('says only changes, from unknown to the last confirmation, and completes there', async () => {
    const { heard, end } = follow({ confirmations: 2 }).listen()
    await scene.settle()
    for (const block of ['a', 'b', 'c', 'd']) {
      scene.node.grow(block)
      await scene.settle()
    }
    expect(heard).toEqual(['unknown', 'accepted 0', 'accepted 1', 'accepted 2'])
    expect(end).toEqual(['complete'])
  })

  it('tells whoever comes after its end how it ended, and asks the node no more', async () => {
    const { listen } = follow({ confirmations: 2 })
    listen()
    await scene.settle()
    for (const block of ['a', 'b', 'c', 'd']) {
      scene.node.grow(block)
      await scene.settle()
    }
    const late = listen()
    expect([late.heard, late.end]).toEqual([['accepted 2'], ['complete']])
  })

  it('goes back to the mempool in a reorg', async () => {
    const { heard } = follow().listen()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    scene.node.grow('xy', 1)
    await scene.settle()
    expect(heard).toEqual(['unknown', 'accepted 0', 'mempool'])
  })

  it('hears after an outage what the chain accepted in it', async () => {
    const { heard } = follow().listen()
    await scene.settle()
    scene.node.drop()
    scene.node.grow('a')
    await expect.poll(() => heard).toEqual(['unknown', 'accepted 0'])
  })

  it('is shared by the subscribers of one call: a late one gets the latest at once', async () => {
    const { listen } = follow()
    listen()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    const asked = scene.node.calls.length
    expect(listen().heard).toEqual(['accepted 0'])
    await scene.settle()
    expect(scene.node.calls.length).toBe(asked)
  })

  it('finds in what is remembered of the chain what was accepted before it was asked for', async () => {
    scene.engine.acceptedTransactions$().subscribe()
    await scene.settle()
    scene.node.grow('a')
    await scene.settle()
    expect(follow().listen().heard).toEqual(['unknown', 'accepted 0'])
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = follow().listen()
    await scene.settle()
    scene.node.drop()
    await scene.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('asks for nothing any more once nobody listens', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] }) // in which looks are due
    try {
      const { leave } = follow().listen()
      const looks = (): number => scene.node.calls.filter(({ method }) => method === 'getMempoolEntry').length
      await vi.advanceTimersByTimeAsync(1)
      const first = looks()
      await vi.advanceTimersByTimeAsync(LOOK)
      expect(looks()).toBe(first + 1)
      leave()
      await vi.advanceTimersByTimeAsync(LOOK)
      expect(looks()).toBe(first + 1)
    } finally {
      vi.useRealTimers()
    }
  })
})
