import { Subject, of, take, type Observable } from 'rxjs'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SERVER_INFO, createHarness, type Harness } from './chain-node.js'

let harness: Harness
beforeEach(async () => {
  harness = await createHarness()
})
afterEach(() => harness.engine.dispose())

function record(score$: Observable<bigint>): { received: bigint[]; end: string[]; unsubscribe: () => void } {
  const received: bigint[] = []
  const end: string[] = []
  const subscription = score$.subscribe({
    next: (score) => received.push(score),
    error: () => end.push('error'),
    complete: () => end.push('complete'),
  })
  return { received, end, unsubscribe: () => subscription.unsubscribe() }
}

const SCORES = [
  ['virtualDaaScore$', 'virtual-daa-score-changed', 0n], // from getServerInfo
  ['sinkBlueScore$', 'sink-blue-score-changed', 1n], // from getSinkBlueScore
] as const

describe.each(SCORES)('%s', (name, type, first) => {
  const score$ = (): Observable<bigint> => harness.engine[name]

  it('emits the current score, then each change, without duplicates', async () => {
    const { received } = record(score$())
    await harness.settle()
    harness.node.addBlocks('a')
    harness.node.addBlocks('x', 1) // the score stays the same
    harness.node.addBlocks('y')
    expect(received).toEqual([first, 2n, 3n])
  })

  it('is shared: replays the latest score to a late subscriber, without a call', async () => {
    record(score$())
    await harness.settle()
    harness.node.addBlocks('a')
    const callsBefore = harness.node.calls.length
    expect(record(score$()).received).toEqual([2n])
    await harness.settle()
    expect(harness.node.calls.length).toBe(callsBefore)
    expect(harness.node.count('subscribe', type)).toBe(1)
  })

  it('continues after an outage with the score of the new connection', async () => {
    const { received } = record(score$())
    await harness.settle()
    harness.node.drop()
    await expect.poll(() => harness.node.count('subscribe', type)).toBe(2)
    harness.node.addBlocks('a')
    await expect.poll(() => received).toEqual([first, 2n])
  })

  it('restarts with another network: replays no score of the previous one', async () => {
    const { received } = record(score$())
    await harness.settle()
    harness.node.addBlocks('a')
    await expect.poll(() => received).toEqual([first, 2n])
    const info$ = new Subject<typeof SERVER_INFO>()
    harness.node.respond('getServerInfo', () => info$.pipe(take(1))) // the handshake waits
    const switching = harness.engine.switchNetwork('devnet')
    expect(record(score$()).received).toEqual([])
    harness.node.respond('getServerInfo', () => of({ ...SERVER_INFO, networkId: 'devnet', virtualDaaScore: 2n }))
    info$.next({ ...SERVER_INFO, networkId: 'devnet', virtualDaaScore: 2n })
    await switching
    await expect.poll(() => received).toHaveLength(3)
    expect(received).toEqual([first, 2n, 2n])
  })

  it('completes with the engine, and never errors', async () => {
    const { end } = record(score$())
    harness.node.drop()
    await harness.engine.dispose()
    expect(end).toEqual(['complete'])
  })

  it('unsubscribes at the node after the last subscriber', async () => {
    const { unsubscribe } = record(score$())
    await harness.settle()
    unsubscribe()
    await expect.poll(() => harness.node.count('unsubscribe', type)).toBe(1)
  })
})
