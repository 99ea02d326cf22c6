import { NEVER, lastValueFrom, of, toArray, type Observable } from 'rxjs'
import { expect, it } from 'vitest'
import type { RpcHeader, RpcResponse, VirtualChainResult } from '../../../src/node/messages/records.js'
import { lookBack$ } from '../../../src/streams/status/look-back.js'
import { BLOCK, ID, scriptedCall, type Answers } from './scene.js'

const page = (added: readonly string[], ids: readonly string[] = []): VirtualChainResult => ({
  removedChainBlockHashes: [],
  addedChainBlockHashes: added,
  acceptedTransactionIds: added.map((acceptingBlockHash) => ({ acceptingBlockHash, acceptedTransactionIds: ids })),
})

/** Where every second hash will do, and where it takes a hash with 55 zero bits in front. */
const SIMNET = { network: 'simnet', bits: 0x207fffff }
const MAINNET = { network: 'mainnet', bits: 0x1b0001ff }

/** A node whose sink has parents of so many levels, and whose chain comes in these pages. */
function nodeOf(levels: number, pages: Readonly<Record<string, VirtualChainResult>>, place = SIMNET): Answers {
  const parentsByLevel = Array.from({ length: levels }, (_, level) => [`parent of level ${level}`])
  const sink = { parentsByLevel, blueScore: 5_000n }
  return {
    getBlockDagInfo: () => of({ sink: 'sink', network: place.network } as RpcResponse<'getBlockDagInfo'>),
    getBlock: ({ hash }) => headed(hash, { ...place, ...(hash === 'sink' ? sink : {}) }),
    getVirtualChainFromBlock: ({ startHash }) => of(pages[startHash] ?? page([])),
  }
}

/** A block of this header; far beneath the sink, unless it says otherwise. */
const headed = (hash: string, header: Partial<RpcHeader>): Observable<RpcResponse<'getBlock'>> => {
  const deep = { hash, parentsByLevel: [], pruningPoint: 'genesis', blueScore: 0n }
  return of({ block: { header: { ...deep, ...header } } } as unknown as RpcResponse<'getBlock'>)
}

const found = (answers: Answers): Promise<string[]> =>
  lastValueFrom(lookBack$(ID, scriptedCall(answers).call).pipe(toArray()))

it('finds who accepted it lately, from a thousand blocks back', async () => {
  const node = nodeOf(12, { 'parent of level 5': page(['a', BLOCK].slice(0, 1)), a: page([BLOCK], [ID]) })
  expect(await found(node)).toEqual([BLOCK])
})

it('steps back further where the next block of that level lies right beneath the sink', async () => {
  const node = nodeOf(12, { far: page([BLOCK], [ID]) })
  const parentsByLevel = Array.from({ length: 6 }, () => ['far'])
  const headers: Readonly<Record<string, Partial<RpcHeader>>> = {
    'parent of level 5': { ...SIMNET, parentsByLevel, blueScore: 4_001n },
    far: { blueScore: 4_000n },
  }
  const getBlock: Answers['getBlock'] = (request) => {
    const header = headers[request.hash]
    return header === undefined ? (node.getBlock?.(request) ?? NEVER) : headed(request.hash, header)
  }
  expect(await found({ ...node, getBlock })).toEqual([BLOCK])
})

it('begins higher where the work is so hard that every block reaches the lower levels', async () => {
  const pages = { 'parent of level 34': page([BLOCK], [ID]), 'parent of level 10': page(['a']) }
  expect(await found(nodeOf(60, pages, MAINNET))).toEqual([BLOCK])
})

it('begins with genesis where the chain is too young to have parents of that level', async () => {
  const pages = { genesis: page([BLOCK], [ID]), 'parent of level 2': page(['a']) }
  expect(await found(nodeOf(3, pages))).toEqual([BLOCK])
})

it('reads five pages at most, and finds nothing where there is nothing', async () => {
  const endless = Object.fromEntries(
    ['a', 'b', 'c', 'd', 'e'].map((hash, at, all) => [hash, page([all[at + 1] ?? ''])]),
  )
  const { call, asked } = scriptedCall(nodeOf(11, { 'parent of level 5': page(['a']), ...endless }))
  expect(await lastValueFrom(lookBack$(ID, call).pipe(toArray()))).toEqual([])
  expect(asked.filter((method) => method === 'getVirtualChainFromBlock')).toHaveLength(5)
})

it('finds nothing, without an error, where the node refuses to tell', async () => {
  expect(await found({})).toEqual([])
  expect(await found({ ...nodeOf(11, {}), getVirtualChainFromBlock: undefined })).toEqual([])
})
