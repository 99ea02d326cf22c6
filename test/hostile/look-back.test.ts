import { lastValueFrom, of, toArray } from 'rxjs'
import { describe, expect, it } from 'vitest'
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
