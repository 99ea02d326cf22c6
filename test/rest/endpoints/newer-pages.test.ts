import { afterAll, expect, it } from 'vitest'
import { createDevnode } from '../../../src/devnode/create-devnode.js'
import { createRestClient, type ChainRestClient } from '../../../src/rest/client.js'
import type { AddressTransactionsPageOptions } from '../../../src/rest/endpoints/address-transactions.js'

const devnode = await createDevnode({ blockInterval: 0 })
const rest = createRestClient({ baseUrl: devnode.urls.rest, network: 'simnet' })
const address = devnode.accounts[0]?.address ?? ''
for (let payment = 0; payment < 4; payment++) {
  await devnode.fund(address, 100_000_000n)
  await devnode.mine(2)
}
const [, , , oldest] = await rest.getFullTransactionsByAddress(address)
const start = (oldest?.block_time ?? 1) - 1

afterAll(() => devnode.close())

async function idsOf(
  client: ChainRestClient,
  options: AddressTransactionsPageOptions,
): Promise<(string | undefined)[]> {
  const ids = []
  for await (const page of client.getFullTransactionsByAddressPages(address, options)) {
    ids.push(...page.map(({ transactionId }) => transactionId))
  }
  return ids
}

it('continues to newer pages although the filter removes all their transactions', async () => {
  expect(await idsOf(rest, { after: start, limit: 1, acceptance: 'rejected' })).toEqual([])
})

it('begins with the oldest page after 0, and goes on to the newest', async () => {
  const all = (await rest.getFullTransactionsByAddress(address)).map(({ transactionId }) => transactionId)
  expect(all).toHaveLength(4)
  expect(await idsOf(rest, { after: 0, limit: 1 })).toEqual([...all].reverse())
})

it('finds nothing before 0, and ends there', async () => {
  expect(await idsOf(rest, { before: 0 })).toEqual([])
  expect(await rest.getFullTransactionsByAddressPage(address, { before: 0 })).toEqual([])
})

it('returns the same with a matching filter, and with fields that omit the filtered one', async () => {
  const all = await idsOf(rest, { after: start, limit: 1 })
  expect(all).toHaveLength(4)
  expect(await idsOf(rest, { after: start, limit: 1, acceptance: 'accepted' })).toEqual(all)
  const [first] = await rest.getFullTransactionsByAddressPage(address, {
    after: start,
    limit: 1,
    acceptance: 'accepted',
    fields: ['transaction_id'],
  })
  expect(first?.transactionId).toBe(all[0])
})

it('rejects an invalid filter before a request is sent', async () => {
  const options = { after: start, acceptance: 'maybe' as 'accepted' }
  await expect(rest.getFullTransactionsByAddressPage(address, options)).rejects.toMatchObject({
    code: 'invalid-argument',
    argument: 'acceptance',
  })
})
