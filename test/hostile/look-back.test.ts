import { VirtualTimeScheduler, defer, lastValueFrom, of, repeat, throwError, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../src/errors/rpc-error.js'
import type { Call } from '../../src/operations/queries/call.js'
import { lookUpTransaction } from '../../src/operations/submission/find-transaction.js'
import type { Gap } from '../../src/streams/acceptance/acceptance.js'
import { backfillBlocks$ } from '../../src/streams/follow-blocks.js'
import type { Connection } from '../../src/streams/connection/state.js'
import { DEFAULT_RETRIES } from '../../src/streams/connection/policy.js'
import { initialConnection, reduceConnection } from '../../src/streams/connection/reduce-connection.js'
import { withinBudget } from '../../src/streams/look-back-budget.js'
import { createSeenBlocks } from '../../src/streams/fetch-blocks.js'
import { createTestPlatform } from '../../src/testing/platform.js'
import type { NodeLink } from '../../src/streams/session/node-link.js'
import { findAcceptingBlock$ } from '../../src/streams/status/find-accepting-block.js'

/** A node whose chain of parents and of pages never ends; `blueScore` by the number of the request. */
function endlessNode(blueScore: (count: number) => bigint): {
  readonly call: NodeLink['call']
  readonly calls: string[]
} {
  const calls: string[] = []
  const respond = (method: string): unknown => {
    calls.push(method)
    const hash = `block ${String(calls.length)}`
    const header = { hash, parentsByLevel: [['x']], pruningPoint: 'x', bits: 0x207fffff }
    if (method === 'getBlockDagInfo') return { sink: 'sink', network: 'simnet' }
    if (method === 'getBlock') return { block: { header: { ...header, blueScore: blueScore(calls.length) } } }
    return { removedChainBlockHashes: [], addedChainBlockHashes: [hash], acceptedTransactionIds: [] }
  }
  return { calls, call: ((method: string) => of(respond(method))) as NodeLink['call'] }
}

const count = (calls: readonly string[], method: string): number => calls.filter((one) => one === method).length

describe('A5: the look-back for an accepting block', () => {
  it.each([
    ['stays', () => 5_000n, 2],
    ['rises', (requests: number) => 5_000n + BigInt(requests), 2],
    ['falls by one', (requests: number) => 5_000n - BigInt(requests), 20],
  ] as const)('ends where the blue score %s', async (_, blueScore, headers) => {
    const { call, calls } = endlessNode(blueScore)
    expect(await lastValueFrom(findAcceptingBlock$('id', call).pipe(toArray()))).toEqual([])
    expect(count(calls, 'getBlock')).toBe(headers)
    expect(count(calls, 'getVirtualChainFromBlock')).toBe(5)
  })
})

describe('A5: the budget of a look-back', () => {
  const respondAfter = (ms: number) => {
    let time = 0
    const timeouts: (number | undefined)[] = []
    const call = ((_: string, __: object, options?: { maxTimeout?: number }) =>
      defer(() => {
        timeouts.push(options?.maxTimeout)
        time += ms
        return of({})
      })) as unknown as NodeLink['call']
    return { call, timeouts, platform: { now: () => time } }
  }

  it('bounds its requests', async () => {
    const { call, timeouts, platform } = respondAfter(0)
    const budgeted = withinBudget(call, { requests: 3, time: 100 }, platform)
    const endless$ = defer(() => budgeted('getSink', {})).pipe(repeat())
    await expect(lastValueFrom(endless$)).rejects.toThrow('did not end the reading of its chain within 3 requests')
    expect(timeouts).toEqual([100, 100, 100])
  })

  it('bounds its time, of which no request takes more than what is left', async () => {
    const { call, timeouts, platform } = respondAfter(40)
    const budgeted = withinBudget(call, { requests: 1_000, time: 100 }, platform)
    const endless$ = defer(() => budgeted('getSink', {})).pipe(repeat())
    await expect(lastValueFrom(endless$)).rejects.toThrow('within 100 ms')
    expect(timeouts).toEqual([100, 60, 20])
  })
})

describe('A5: the backfill of blocks', () => {
  it('ends in a gap where the node responds with one new block to every second request', async () => {
    const scheduler = new VirtualTimeScheduler()
    const platform = createTestPlatform({ scheduler })
    let requests = 0
    const call = ((method: string) =>
      defer(() => {
        if (method === 'getSink') return of({ sink: 'never reached' })
        requests++
        const hash = `block ${String(requests)}`
        if (requests % 2 === 1)
          return of({ blocks: [{ header: { hash, blueWork: hash, daaScore: BigInt(requests) } }] })
        return throwError(() => new ChainRpcError(method, new Error('busy'), { code: 'remote' }))
      })) as unknown as NodeLink['call']
    const gaps: Gap[] = []
    const seen = createSeenBlocks()
    seen.start('start')
    const blocks$ = backfillBlocks$(seen, new Set(), { call, platform, onGap: (gap) => gaps.push(gap) })
    const ends: string[] = []
    blocks$.subscribe({ complete: () => ends.push('complete') })
    scheduler.flush()
    expect(ends).toEqual(['complete'])
    expect(gaps).toMatchObject([
      { stream: 'blocks', cause: { message: expect.stringContaining('within 60 requests') } },
    ])
    expect(requests).toBeLessThanOrEqual(60)
  })
})

describe('A5: the lookup of a submission without reply', () => {
  const ID = 'ab'.repeat(32)
  const page = (hash: string) => ({
    removedChainBlockHashes: [],
    addedChainBlockHashes: [hash],
    acceptedTransactionIds: [],
  })

  /** The outcome of a lookup at a node whose chain never ends, and the number of pages. */
  async function lookUp(nextHash: (pages: number) => string, msPerCall: number) {
    let [pages, time] = [0, 0]
    const respond = (method: string): unknown => {
      time += msPerCall
      if (method === 'getMempoolEntry') throw new ChainRpcError(method, new Error('not found'), { code: 'remote' })
      return page(nextHash(++pages))
    }
    const outcome = await lookUpTransaction(ID, 'start', {
      call: ((method: string) => Promise.resolve().then(() => respond(method))) as Call,
      whenConnected: () => Promise.resolve(),
      pause: (ms) => Promise.resolve(void (time += ms)),
      now: () => time,
    })
    return { outcome, pages, time }
  }

  it('ends after 15 pages in each of five lookups', async () => {
    const { outcome, pages } = await lookUp((count) => `block ${String(count)}`, 0)
    expect(outcome).toBeUndefined()
    expect(pages).toBe(75)
  })

  it('ends a lookup at a page that leads back', async () => {
    const { outcome, pages } = await lookUp(() => 'start', 0)
    expect(outcome).toBeUndefined()
    expect(pages).toBe(5)
  })

  it('ends after three minutes', async () => {
    const { outcome, time } = await lookUp((count) => `block ${String(count)}`, 59_000)
    expect(outcome).toBeUndefined()
    expect(time).toBeLessThan(180_000 + 60_000)
  })
})

describe('A5: a resolver that returns nodes of another network', () => {
  const target = { network: 'mainnet', encoding: 'Borsh', urls: [], resolver: 'use' } as const
  const policy = { ...DEFAULT_RETRIES, jitter: 0 }
  const context = { at: 0, random: 0, network: 'up' } as const

  it('is queried again after a full delay, and its nodes are forgotten', () => {
    let state: Connection<string> = initialConnection(target)
    state = reduceConnection(state, { type: 'connectRequested', target }, policy)
    for (let count = 0; count < 2_000; count++) {
      const { dial } = state
      const url = `wss://node-${String(count)}.example`
      state = reduceConnection(state, { type: 'resolved', dial, url }, policy)
      state = reduceConnection(state, { type: 'opened', dial, url, session: 'session' }, policy)
      const error = new ChainRpcError('connect', new Error(url), { code: 'wrong-network' })
      state = reduceConnection(state, { type: 'refused', dial, error, ...context }, policy)
      expect(state).toMatchObject({ step: 'waiting', retryAt: policy.baseDelay })
      state = reduceConnection(state, { type: 'retryDue', dial }, policy)
    }
    expect(state.memory.refused.size).toBeLessThanOrEqual(1_000)
    expect(state.memory.faults.size).toBeLessThanOrEqual(1_000)
  })
})
