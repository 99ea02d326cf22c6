import { describe, expect, it } from 'vitest'
import { createRestClient } from '../../../src/rest/client.js'
import { recordingsOf, toResponse, world } from '../recordings.js'
import { json, scriptFetch } from '../scripted-fetch.js'

const TX = world.transactions.plain ?? ''
const { ofPlain: BLOCK = '' } = world.blocks
const OTHER = 'ab'.repeat(32)

function clientOf(...replies: Response[]) {
  return createRestClient({ baseUrl: 'https://indexer.test', fetcher: scriptFetch(...replies).fetcher })
}

describe('a transaction by id and block hash', () => {
  it('has no block hash, because the server returns any given one', async () => {
    const found = await clientOf(json({ transaction_id: TX, block_hash: [OTHER] })).getTransaction(TX, {
      blockHash: OTHER,
    })
    expect(found).toMatchObject({ transactionId: TX })
    expect(found).not.toHaveProperty('block_hash')
  })

  it('has the block hashes of a server that returns the indexed ones', async () => {
    const rest = clientOf(json({ transaction_id: TX, block_hash: [BLOCK, OTHER] }))
    expect((await rest.getTransaction(TX, { blockHash: OTHER }))?.block_hash).toEqual([BLOCK, OTHER])
    const without = clientOf(json({ transaction_id: TX, block_hash: [BLOCK] }))
    expect((await without.getTransaction(TX))?.block_hash).toEqual([BLOCK])
  })
})

it('explains that the virtual chain from a block is switched off on this server', async () => {
  const disabled = recordingsOf('features-off').find(({ path }) => path.startsWith('/info/get-vscp-from-block'))
  const rest = clientOf(toResponse(disabled!))
  await expect(rest.getVirtualChainFromBlock(BLOCK)).rejects.toMatchObject({
    status: 404,
    hint: 'The endpoint is switched off on this server: use another server.',
  })
})
