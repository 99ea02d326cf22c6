import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { MAX_SOMPI } from '../../src/model/amount.js'
import { createRestClient, type ChainRestClient } from '../../src/rest/client.js'
import { dehydrateRest, hydrateRest } from '../../src/rest/hydration.js'
import { world } from './recordings.js'
import { json, scriptFetch } from './scripted-fetch.js'
import { PAY_TO_PUBLIC_KEY } from '../relayable-transaction.js'

const { alice = '' } = world.addresses
const ID = world.transactions.plain ?? ''
const ANY = fc.oneof(fc.bigInt(0n, 2n ** 64n - 1n), fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n))
const VERBOSE = `"verboseData":{"transactionId":"${ID}"}`

/** Responses with 64-bit integers, and the fields that return them exactly. */
const PLACES: readonly {
  readonly where: string
  /** Amounts of money are within the maximum supply. */
  readonly most?: bigint
  readonly body: (integer: bigint) => string
  readonly read: (rest: ChainRestClient) => Promise<bigint | undefined>
}[] = [
  {
    where: 'a balance',
    most: MAX_SOMPI,
    body: (n) => `{"address":"${alice}","balance":${n}}`,
    read: async (rest) => (await rest.getAddressBalance(alice)).balanceExact,
  },
  {
    where: 'an amount of an output',
    body: (n) => `{"transaction_id":"${ID}","outputs":[{"amount":${n}}]}`,
    read: async (rest) => (await rest.getTransaction(ID))?.outputs?.[0]?.amountExact,
  },
  {
    where: 'an amount that an input spends',
    body: (n) => `[{"inputs":[{"previous_outpoint_amount":${n}}]}]`,
    read: async (rest) =>
      (await rest.getFullTransactionsByAddress(alice))[0]?.inputs?.[0]?.previous_outpoint_amountExact,
  },
  {
    where: 'an unspent output',
    most: MAX_SOMPI,
    body: (n) => `[{"outpoint":{},"utxoEntry":{"amount":"${n}","scriptPublicKey":{"scriptPublicKey":""}}}]`,
    read: async (rest) => BigInt((await rest.getUtxosByAddress(alice))[0]?.utxoEntry.amount ?? -1),
  },
  {
    where: 'a sequence in a block',
    body: (n) => `{"header":{},"verboseData":{},"transactions":[{"inputs":[{"sequence":${n}}],${VERBOSE}}]}`,
    read: async (rest) => (await rest.getBlock(ID)).transactions?.[0]?.inputs?.[0]?.sequenceExact,
  },
  {
    where: 'the virtual chain',
    body: (n) =>
      `[{"hash":"","blue_score":1,"transactions":[{"transaction_id":"","outputs":[{"script_public_key":"","script_public_key_address":"","amount":${n}}]}]}]`,
    read: async (rest) =>
      (await rest.getVirtualChain({ blueScoreGte: 0 }))[0]?.transactions?.[0]?.outputs?.[0]?.amountExact,
  },
  {
    where: 'the result of `request`',
    body: (n) => `{"new":[${n}]}`,
    read: async (rest) => BigInt((await rest.request<{ new: (number | bigint)[] }>('GET', '/new')).new[0] ?? -1),
  },
]

const clientOf = (body: string) => {
  const { fetcher, sent } = scriptFetch(json(body))
  return { rest: createRestClient({ baseUrl: 'https://indexer.test', fetcher }), sent }
}

describe('any integer up to 2^64 − 1', () => {
  it.each(PLACES)('is exact in $where', async ({ most = 2n ** 64n - 1n, body, read }) => {
    await fc.assert(
      fc.asyncProperty(ANY, async (any) => {
        const n = any % (most + 1n)
        expect(await read(clientOf(body(n)).rest)).toBe(n)
      }),
    )
  })

  it('survives hydration', async () => {
    await fc.assert(
      fc.asyncProperty(ANY, async (any) => {
        const n = any % (MAX_SOMPI + 1n)
        const { rest } = clientOf(`{"address":"${alice}","balance":${n}}`)
        await rest.getAddressBalance(alice)
        const browser = createRestClient({
          baseUrl: 'https://indexer.test',
          fetcher: () => Promise.reject(new Error()),
        })
        hydrateRest(browser, dehydrateRest(rest))
        expect((await browser.getAddressBalance(alice)).balanceExact).toBe(n)
      }),
    )
  })

  it('is sent exactly from bigint and decimal text', async () => {
    const formats = [(n: bigint) => n, (n: bigint) => n.toString()]
    const scriptPublicKey = { version: 0, scriptPublicKey: PAY_TO_PUBLIC_KEY }
    await fc.assert(
      fc.asyncProperty(ANY, fc.constantFrom(...formats), async (n, format) => {
        const { rest, sent } = clientOf('{}')
        const input = { previousOutpoint: { transactionId: ID, index: 0 }, signatureScript: '41', sigOpCount: 1 }
        const submitted = rest.submitTransaction({
          version: 0,
          inputs: [{ ...input, sequence: format(n) }],
          outputs: [{ amount: 1, scriptPublicKey }],
        })
        await expect(submitted).rejects.toMatchObject({ code: 'unexpected-response' }) // without an id
        const digits = /"sequence":"?(\d+)"?[,}]/.exec(sent[0]?.body ?? '')?.[1]
        expect(digits).toBe(n.toString())
      }),
    )
  })
})
