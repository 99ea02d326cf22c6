import { describe, expect, it } from 'vitest'
import { createRestClient } from '../../../src/rest/client.js'
import { recording, toResponse, world } from '../recordings.js'
import { json, scriptFetch, type Sent } from '../scripted-fetch.js'

const BLOCK = world.blocks.ofPlain ?? ''
const BASE = 'https://indexer.test'

/** A server whose responses are chosen by the beginning of the path; requests are counted. */
function serverOf(replies: Readonly<Record<string, () => Response>>) {
  const { fetcher, sent } = scriptFetch((request: Sent) => {
    const path = request.url.slice(BASE.length)
    const [, reply] = Object.entries(replies).find(([prefix]) => path.startsWith(prefix)) ?? []
    return reply?.() ?? json({ detail: 'Not Found' }, { status: 404 })
  })
  return {
    rest: createRestClient({ baseUrl: BASE, fetcher, retries: 0 }),
    paths: () => sent.map(({ url }) => url.slice(BASE.length)),
  }
}

const healthy = () => toResponse(recording('info', 'health'))
const withoutNode = () => toResponse(recording('node-down-wrpc', 'health'))

describe('an empty list of blocks', () => {
  it.each([
    ['getBlocks', '/blocks?', () => json({ blockHashes: [], blocks: [] })],
    ['getBlocksFromBlueScore', '/blocks-from-bluescore', () => json([])],
  ] as const)('of a server without its node rejects %s', async (name, path, reply) => {
    const { rest } = serverOf({ [path]: reply, '/info/health': withoutNode })
    const call =
      name === 'getBlocks' ? rest.getBlocks({ lowHash: BLOCK }) : rest.getBlocksFromBlueScore({ blueScoreGte: 9 })
    await expect(call).rejects.toMatchObject({ code: 'network', status: 200 })
    await expect(call).rejects.toThrow('the list is empty because the server has no synced node')
  })

  it('of a server with its node is the end, after one look at its health', async () => {
    const { rest, paths } = serverOf({ '/blocks-from-bluescore': () => json([]), '/info/health': healthy })
    expect(await rest.getBlocksFromBlueScore({ blueScoreGte: 9 })).toEqual([])
    expect(await rest.getBlocksFromBlueScore({ blueScoreGte: 9 })).toEqual([])
    expect(paths()).toEqual(['/blocks-from-bluescore?blueScoreGte=9', '/info/health'])
  })
})

it('checks an empty list by health of its own time', async () => {
  const reports = [healthy, withoutNode]
  const { rest } = serverOf({
    '/blocks-from-bluescore': () => json([]),
    '/info/health': () => (reports.shift() ?? withoutNode)(),
  })
  expect((await rest.getHealth()).chaindServers[0]?.isSynced).toBe(true) // cached, and outdated a moment later
  await expect(rest.getBlocksFromBlueScore({ blueScoreGte: 9 })).rejects.toMatchObject({ code: 'network', status: 200 })
})

describe('changes of the virtual chain', () => {
  const none = () => json({ removedChainBlockHashes: [], addedChainBlockHashes: [], acceptedTransactionIds: [] })
  const changed = () =>
    json({ removedChainBlockHashes: [], addedChainBlockHashes: [BLOCK], acceptedTransactionIds: [] })
  const failed = () => toResponse(recording('wrpc-backend', 'vscp-unknown'))
  const noBlocks = () => toResponse(recording('wrpc-backend', 'blocks-unknown'))
  const dagWith = (sink: string) => () => {
    const dag = JSON.parse(recording('info', 'blockdag').body) as object
    return json({ ...dag, sink })
  }
  const unknownBlock = { name: 'ChainRestError', code: 'http', status: 404 }

  it('since a block that a server on gRPC does not know reject with 404', async () => {
    const { rest } = serverOf({ '/info/get-vscp': none, '/info/blockdag': dagWith('ab'.repeat(32)) })
    await expect(rest.getVirtualChainFromBlock(BLOCK)).rejects.toMatchObject(unknownBlock)
  })

  it('since the tip are none', async () => {
    const { rest } = serverOf({ '/info/get-vscp': none, '/info/blockdag': dagWith(BLOCK) })
    expect(await rest.getVirtualChainFromBlock(BLOCK)).toMatchObject({ addedChainBlockHashes: [] })
  })

  it('since a tip that moved meanwhile are fetched again', async () => {
    const replies = [none, changed]
    const { rest } = serverOf({
      '/info/get-vscp': () => (replies.shift() ?? changed)(),
      '/info/blockdag': dagWith('ab'.repeat(32)),
    })
    expect(await rest.getVirtualChainFromBlock(BLOCK)).toMatchObject({ addedChainBlockHashes: [BLOCK] })
  })

  it('since a block that a server on wRPC does not know reject with 404', async () => {
    const { rest } = serverOf({
      '/info/get-vscp': failed,
      '/info/health': healthy,
      '/blocks?': noBlocks,
    })
    await expect(rest.getVirtualChainFromBlock(BLOCK)).rejects.toMatchObject(unknownBlock)
  })

  it('since a block that only the database of such a server has reject with 404', async () => {
    const { rest } = serverOf({
      '/info/get-vscp': failed,
      '/info/health': healthy,
      '/blocks/': () => toResponse(recording('blocks', 'by-id')),
      '/blocks?': noBlocks,
    })
    await expect(rest.getVirtualChainFromBlock(BLOCK)).rejects.toMatchObject(unknownBlock)
  })

  it.each([
    ['a known block', { '/info/health': healthy, '/blocks?': () => json({ blockHashes: [BLOCK], blocks: [] }) }],
    ['a server without health', { '/blocks?': noBlocks }],
    ['a server without its node', { '/info/health': withoutNode, '/blocks?': noBlocks }],
  ])('reject with the server’s failure for %s', async (_, others) => {
    const { rest } = serverOf({ '/info/get-vscp': failed, ...others })
    await expect(rest.getVirtualChainFromBlock(BLOCK)).rejects.toMatchObject({ code: 'http', status: 500 })
  })
})
