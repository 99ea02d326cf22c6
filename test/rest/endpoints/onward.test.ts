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

it('goes on to newer pages, though nothing on them is what is looked for', async () => {
  expect(await idsOf(rest, { after: start, limit: 1, acceptance: 'rejected' })).toEqual([])
})

it('finds the same with a filter that lets all through, and with fields that leave out what it looks at', async () => {
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

it('refuses what is no filter before anything is asked', async () => {
  const options = { after: start, acceptance: 'maybe' as 'accepted' }
  await expect(rest.getFullTransactionsByAddressPage(address, options)).rejects.toMatchObject({
    code: 'invalid-argument',
    argument: 'acceptance',
  })
})
