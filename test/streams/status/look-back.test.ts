import { lastValueFrom, of, toArray } from 'rxjs'
import { expect, it } from 'vitest'
import type { RpcResponse, VirtualChainResult } from '../../../src/node/messages/records.js'
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
  const header = { hash: 'sink', parentsByLevel, pruningPoint: 'genesis', bits: place.bits }
  return {
    getBlockDagInfo: () => of({ sink: 'sink', network: place.network } as RpcResponse<'getBlockDagInfo'>),
    getBlock: () => of({ block: { header } } as unknown as RpcResponse<'getBlock'>),
    getVirtualChainFromBlock: ({ startHash }) => of(pages[startHash] ?? page([])),
  }
}

const found = (answers: Answers): Promise<string[]> =>
  lastValueFrom(lookBack$(ID, scriptedCall(answers).call).pipe(toArray()))

it('finds who accepted it lately, from a thousand blocks back', async () => {
  const node = nodeOf(12, { 'parent of level 5': page(['a', BLOCK].slice(0, 1)), a: page([BLOCK], [ID]) })
  expect(await found(node)).toEqual([BLOCK])
})

it('begins higher where the work is so hard that every block reaches the lower levels', async () => {
  const pages = { 'parent of level 34': page([BLOCK], [ID]), 'parent of level 10': page(['a']) }
  expect(await found(nodeOf(60, pages, MAINNET))).toEqual([BLOCK])
})

it('begins with genesis where the chain is too young to have parents of that level', async () => {
  const pages = { genesis: page([BLOCK], [ID]), 'parent of level 2': page(['a']) }
  expect(await found(nodeOf(3, pages))).toEqual([BLOCK])
})

it('reads three pages at most, and finds nothing where there is nothing', async () => {
  const { call, asked } = scriptedCall(nodeOf(11, { 'parent of level 5': page(['a']), a: page(['b']), b: page(['c']) }))
  expect(await lastValueFrom(lookBack$(ID, call).pipe(toArray()))).toEqual([])
  expect(asked.filter((method) => method === 'getVirtualChainFromBlock')).toHaveLength(3)
})

it('finds nothing, without an error, where the node refuses to tell', async () => {
  expect(await found({})).toEqual([])
  expect(await found({ ...nodeOf(11, {}), getVirtualChainFromBlock: undefined })).toEqual([])
})
