import { NEVER, lastValueFrom, of, toArray, type Observable } from 'rxjs'
import { expect, it } from 'vitest'
import type { RpcHeader, RpcResponse, VirtualChainResult } from '../../../src/node/messages/records.js'
import { findAcceptingBlock$ } from '../../../src/streams/status/find-accepting-block.js'
import { BLOCK, ID, scriptedCall, type Responses } from './harness.js'

const page = (added: readonly string[], ids: readonly string[] = []): VirtualChainResult => ({
  removedChainBlockHashes: [],
  addedChainBlockHashes: added,
  acceptedTransactionIds: added.map((acceptingBlockHash) => ({ acceptingBlockHash, acceptedTransactionIds: ids })),
})

/** Targets: every second hash is valid, or a hash needs 55 leading zero bits. */
const SIMNET = { network: 'simnet', bits: 0x207fffff }
const MAINNET = { network: 'mainnet', bits: 0x1b0001ff }

/** A node whose sink has parents on `levels` levels, with the given pages of the chain. */
function nodeOf(levels: number, pages: Readonly<Record<string, VirtualChainResult>>, place = SIMNET): Responses {
  const parentsByLevel = Array.from({ length: levels }, (_, level) => [`parent of level ${level}`])
  const sink = { parentsByLevel, blueScore: 5_000n }
  return {
    getBlockDagInfo: () => of({ sink: 'sink', network: place.network } as RpcResponse<'getBlockDagInfo'>),
    getBlock: ({ hash }) => blockWith(hash, { ...place, ...(hash === 'sink' ? sink : {}) }),
    getVirtualChainFromBlock: ({ startHash }) => of(pages[startHash] ?? page([])),
  }
}

/** A block with this header; by default far below the sink. */
const blockWith = (hash: string, header: Partial<RpcHeader>): Observable<RpcResponse<'getBlock'>> => {
  const defaults = { hash, parentsByLevel: [], pruningPoint: 'genesis', blueScore: 0n }
  return of({ block: { header: { ...defaults, ...header } } } as unknown as RpcResponse<'getBlock'>)
}

const found = (responses: Responses): Promise<string[]> =>
  lastValueFrom(findAcceptingBlock$(ID, scriptedCall(responses).call).pipe(toArray()))

it('finds the accepting block from a thousand blocks below the sink', async () => {
  const node = nodeOf(12, { 'parent of level 5': page(['a', BLOCK].slice(0, 1)), a: page([BLOCK], [ID]) })
  expect(await found(node)).toEqual([BLOCK])
})

it('steps further back where the next parent lies directly below the sink', async () => {
  const node = nodeOf(12, { far: page([BLOCK], [ID]) })
  const parentsByLevel = Array.from({ length: 6 }, () => ['far'])
  const headers: Readonly<Record<string, Partial<RpcHeader>>> = {
    'parent of level 5': { ...SIMNET, parentsByLevel, blueScore: 4_001n },
    far: { blueScore: 4_000n },
  }
  const getBlock: Responses['getBlock'] = (request) => {
    const header = headers[request.hash]
    return header === undefined ? (node.getBlock?.(request) ?? NEVER) : blockWith(request.hash, header)
  }
  expect(await found({ ...node, getBlock })).toEqual([BLOCK])
})

it('starts at a higher level where the difficulty makes every block reach the lower ones', async () => {
  const pages = { 'parent of level 34': page([BLOCK], [ID]), 'parent of level 10': page(['a']) }
  expect(await found(nodeOf(60, pages, MAINNET))).toEqual([BLOCK])
})

it('starts at genesis where the chain is too young for parents of that level', async () => {
  const pages = { genesis: page([BLOCK], [ID]), 'parent of level 2': page(['a']) }
  expect(await found(nodeOf(3, pages))).toEqual([BLOCK])
})

it('reads at most five pages, and completes without a value', async () => {
  const chained = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((hash, at, all) => [hash, page([all[at + 1] ?? ''])]),
  )
  const { call, calledMethods } = scriptedCall(nodeOf(11, { 'parent of level 5': page(['a']), ...chained }))
  expect(await lastValueFrom(findAcceptingBlock$(ID, call).pipe(toArray()))).toEqual([])
  expect(calledMethods.filter((method) => method === 'getVirtualChainFromBlock')).toHaveLength(5)
})

it('completes without a value where the node refuses', async () => {
  expect(await found({})).toEqual([])
  expect(await found({ ...nodeOf(11, {}), getVirtualChainFromBlock: undefined })).toEqual([])
})
