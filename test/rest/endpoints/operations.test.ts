import { describe, expect, it } from 'vitest'
import { createRestClient, type ChainRestClient, OPERATION_NAMES } from '../../../src/rest/client.js'
import { world } from '../recordings.js'
import { json, scriptFetch, type Sent } from '../scripted-fetch.js'
import { PAY_TO_PUBLIC_KEY } from '../../relayable-transaction.js'

const { alice = '', bob = '' } = world.addresses
const TX = world.transactions.plain ?? ''
const BLOCK = world.blocks.ofPlain ?? ''
const PATH = `/addresses/${encodeURIComponent(alice)}`
const SIGNED = {
  version: 0,
  inputs: [{ previousOutpoint: { transactionId: TX, index: 0 }, signatureScript: 'aa', sequence: 0n, sigOpCount: 1 }],
  outputs: [{ amount: 2n ** 61n, scriptPublicKey: { version: 0, scriptPublicKey: PAY_TO_PUBLIC_KEY } }],
}
const SIGNED_ON_WIRE = {
  version: 0,
  inputs: [{ previousOutpoint: { transactionId: TX, index: 0 }, signatureScript: 'aa', sequence: 0, sigOpCount: 1 }],
  outputs: [{ amount: '2305843009213693952', scriptPublicKey: { version: 0, scriptPublicKey: PAY_TO_PUBLIC_KEY } }],
  lockTime: 0,
  subnetworkId: '0'.repeat(40),
}

type Call = (rest: ChainRestClient) => Promise<unknown>
/** Method, path and body of each call's request. */
const CALLS: readonly (readonly [request: string, call: Call, body?: object])[] = [
  [`GET ${PATH}/balance`, (rest) => rest.getAddressBalance(alice)],
  ['POST /addresses/balances', (rest) => rest.getBalancesByAddresses([alice, bob]), { addresses: [alice, bob] }],
  [`GET ${PATH}/balance/2026-11`, (rest) => rest.getAddressBalanceHistory(alice, '2026-11')],
  ['GET /addresses/names', (rest) => rest.getAddressNames()],
  [`GET ${PATH}/name`, (rest) => rest.getAddressName(alice)],
  ['GET /addresses/top', (rest) => rest.getTopAddresses()],
  [
    'GET /addresses/top?before=1795233600000&limit=1',
    (rest) => rest.getTopAddresses({ before: 1795233600000, limit: 1 }),
  ],
  ['GET /addresses/distribution?limit=24', (rest) => rest.getAddressDistribution({ limit: 24 })],
  ['POST /addresses/active', (rest) => rest.getAddressesActive([alice]), { addresses: [alice] }],
  ['GET /addresses/active/count/', (rest) => rest.getAddressesActiveCount()],
  ['GET /addresses/active/count/2026-11-21', (rest) => rest.getAddressesActiveCountFor('2026-11-21')],
  [`GET ${PATH}/transactions-count`, (rest) => rest.getAddressTransactionCount(alice)],
  [`GET ${PATH}/utxos`, (rest) => rest.getUtxosByAddress(alice)],
  [`GET ${PATH}/utxos/count`, (rest) => rest.getUtxoCountByAddress(alice)],
  ['POST /addresses/utxos', (rest) => rest.getUtxosByAddresses([alice]), { addresses: [alice] }],
  [
    `GET ${PATH}/full-transactions?resolve_previous_outpoints=light`,
    (rest) => rest.getFullTransactionsByAddress(alice),
  ],
  [
    `GET ${PATH}/full-transactions?limit=500&offset=3&fields=hash%2Cinputs&resolve_previous_outpoints=full`,
    (rest) =>
      rest.getFullTransactionsByAddress(alice, {
        limit: 500,
        offset: 3,
        fields: ['hash', 'inputs'],
        resolvePreviousOutpoints: 'full',
      }),
  ],
  [
    `GET ${PATH}/full-transactions-page?limit=5&before=1700000000000&resolve_previous_outpoints=light&acceptance=rejected`,
    (rest) => rest.getFullTransactionsByAddressPage(alice, { limit: 5, before: 1700000000000, acceptance: 'rejected' }),
  ],
  [
    `GET ${PATH}/full-transactions-page?after=1700000000000&fields=block_time%2Chash&resolve_previous_outpoints=light`,
    (rest) => rest.getFullTransactionsByAddressPage(alice, { after: 1700000000000, fields: 'hash' }),
  ],
  [
    `GET ${PATH}/full-transactions-page?resolve_previous_outpoints=light`,
    (rest) => rest.getFullTransactionsByAddressPage(alice, { before: 9999999999999 }),
  ],
  [
    `GET ${PATH}/full-transactions-page?limit=20&resolve_previous_outpoints=light`,
    (rest) => rest.getAddressTransactionPage(alice, { limit: 20 }),
  ],
  [`GET /transactions/${TX}?resolve_previous_outpoints=light`, (rest) => rest.getTransaction(TX)],
  [
    `GET /transactions/${TX}?blockHash=${BLOCK}&inputs=false&outputs=true&resolve_previous_outpoints=no`,
    (rest) =>
      rest.getTransactionById(TX, { blockHash: BLOCK, inputs: false, outputs: true, resolvePreviousOutpoints: 'no' }),
  ],
  [
    'POST /transactions/search?resolve_previous_outpoints=light',
    (rest) => rest.searchTransactions({ transactionIds: [TX] }),
    { transactionIds: [TX] },
  ],
  [
    'POST /transactions/search?fields=hash&resolve_previous_outpoints=light&acceptance=accepted',
    (rest) =>
      rest.searchTransactions({ acceptingBlueScores: { gte: 0, lt: 9 } }, { fields: 'hash', acceptance: 'accepted' }),
    { acceptingBlueScores: { gte: 1, lt: 9 } },
  ],
  ['POST /transactions/acceptance', (rest) => rest.getTransactionAcceptance([TX]), { transactionIds: [TX] }],
  ['GET /transactions/count/', (rest) => rest.getTransactionsCount()],
  ['GET /transactions/count/2024-02-29', (rest) => rest.getTransactionsCountFor('2024-02-29')],
  ['POST /transactions', (rest) => rest.submitTransaction(SIGNED), { transaction: SIGNED_ON_WIRE }],
  [
    'POST /transactions?replaceByFee=true',
    (rest) => rest.submitTransaction(SIGNED, { replaceByFee: true, allowOrphan: false }),
    { transaction: SIGNED_ON_WIRE, allowOrphan: false },
  ],
  ['POST /transactions/mass', (rest) => rest.calculateTransactionMass(SIGNED), SIGNED_ON_WIRE],
  [`GET /blocks/${BLOCK}`, (rest) => rest.getBlock(BLOCK)],
  [
    `GET /blocks/${BLOCK}?includeTransactions=false&includeColor=true`,
    (rest) => rest.getBlock(BLOCK, { includeTransactions: false, includeColor: true }),
  ],
  [`GET /blocks?lowHash=${BLOCK}`, (rest) => rest.getBlocks({ lowHash: BLOCK })],
  [
    `GET /blocks?lowHash=${BLOCK}&includeBlocks=true&includeTransactions=true`,
    (rest) => rest.getBlocks({ lowHash: BLOCK, includeBlocks: true, includeTransactions: true }),
  ],
  ['GET /blocks-from-bluescore?blueScoreLt=62', (rest) => rest.getBlocksFromBlueScore({ blueScoreLt: 62 })],
  ['GET /virtual-chain?blueScoreGte=70', (rest) => rest.getVirtualChain({ blueScoreGte: 70 })],
  [
    'GET /virtual-chain?blueScoreGte=200&limit=100&resolveInputs=true&includeCoinbase=false',
    (rest) => rest.getVirtualChain({ blueScoreGte: 200, limit: 100, resolveInputs: true, includeCoinbase: false }),
  ],
  [
    `GET /info/get-vscp-from-block?startHash=${BLOCK}&includeAcceptedTransactionIds=false`,
    (rest) => rest.getVirtualChainFromBlock(BLOCK, { includeAcceptedTransactionIds: false }),
  ],
  ['GET /info/virtual-chain-blue-score', (rest) => rest.getVirtualSelectedParentBlueScore()],
  ['GET /info/blockdag', (rest) => rest.getBlockDag()],
  ['GET /info/network', (rest) => rest.getNetwork()],
  ['GET /info/coinsupply', (rest) => rest.getCoinSupply()],
  ['GET /info/coinsupply/circulating', (rest) => rest.getCirculatingCoins()],
  ['GET /info/coinsupply/total?in_billion=true', (rest) => rest.getTotalCoins(true)],
  ['GET /info/blockreward', (rest) => rest.getBlockReward()],
  ['GET /info/blockreward?stringOnly=true', (rest) => rest.getBlockReward({ stringOnly: true })],
  ['GET /info/halving', (rest) => rest.getHalving()],
  ['GET /info/halving?field=nextHalvingDate', (rest) => rest.getHalving('nextHalvingDate')],
  ['GET /info/hashrate', (rest) => rest.getHashrate()],
  ['GET /info/hashrate/max', (rest) => rest.getMaxHashrate()],
  ['GET /info/hashrate/history?resolution=7d', (rest) => rest.getHashrateHistory({ resolution: '7d' })],
  ['GET /info/hashrate/history/2025-06-04', (rest) => rest.getHashrateHistoryFor('2025-06-04')],
  ['GET /info/fee-estimate', (rest) => rest.getFeeEstimate()],
  ['GET /info/marketcap?stringOnly=true', (rest) => rest.getMarketcap({ stringOnly: true })],
  ['GET /info/price', (rest) => rest.getPrice()],
  ['GET /info/market-data', (rest) => rest.getMarketData()],
  ['GET /info/health', (rest) => rest.getHealth()],
  ['GET /info/kaspad', (rest) => rest.getChaindInfo()],
  [
    'GET /info/price?stringOnly=true',
    (rest) => rest.request('GET', '/info/price', { query: { stringOnly: true, no: null } }),
  ],
  [
    'POST /anything?a=1&b=2',
    (rest) => rest.request('POST', '/anything?a=1', { query: { b: 2n }, body: { n: 5n } }),
    { n: '5' },
  ],
]

/** The request of a call, to a server that always fails. */
async function sentBy(call: Call) {
  const { fetcher, sent } = scriptFetch(json({ detail: 'not today' }, { status: 418 }))
  const rest = createRestClient({ baseUrl: 'https://indexer.test/', network: 'simnet', fetcher })
  await call(rest).catch(() => undefined) // only the request is checked
  const [first] = sent
  return { request: `${first?.method} ${first?.url.replace('https://indexer.test', '')}`, first }
}

describe('each operation sends its request', () => {
  it.each(CALLS.map(([expected, call, body]) => ({ expected, call, body })))(
    '$expected',
    async ({ expected, call, body }) => {
      const { request, first } = await sentBy(call)
      expect(request).toBe(expected)
      expect(first?.body === undefined ? undefined : JSON.parse(first.body)).toEqual(body)
      expect(first?.headers.get('content-type')).toBe(body === undefined ? null : 'application/json')
    },
  )

  it('covers every operation', () => {
    const tried = new Set(CALLS.map(([, call]) => /rest\.(\w+)/.exec(call.toString())?.[1]))
    expect(OPERATION_NAMES.filter((name) => !tried.has(name))).toEqual([])
  })

  it('accepts a transaction serialized by this library', async () => {
    const { first } = await sentBy((rest) =>
      rest.submitTransaction({
        version: 0,
        inputs: [
          { previousOutpoint: { transactionId: TX, index: 0 }, signatureScript: 'aa', sequence: '0', sigOpCount: 1 },
        ],
        outputs: [{ value: '2305843009213693952', scriptPublicKey: { version: 0, script: PAY_TO_PUBLIC_KEY } }],
        lockTime: '0',
        subnetworkId: '0'.repeat(40),
        payload: '',
      }),
    )
    expect(JSON.parse(first?.body ?? '')).toEqual({ transaction: SIGNED_ON_WIRE })
  })
})

describe('requests that the server cannot handle', () => {
  it('skips the request for an empty list of addresses', async () => {
    const { fetcher, sent } = scriptFetch(json({ message: 'Internal server error' }, { status: 500 }))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    expect(await rest.getAddressesActive([])).toEqual([])
    expect(sent).toEqual([])
  })

  it('omits the null argument of a search', async () => {
    const { first } = await sentBy((rest) =>
      rest.searchTransactions({ transactionIds: null, acceptingBlueScores: { gte: 5, lt: 9 } }),
    )
    expect(JSON.parse(first?.body ?? '')).toEqual({ acceptingBlueScores: { gte: 5, lt: 9 } })
  })
})

describe('a list too long for the server', () => {
  const isCount = ({ url }: Sent) => url.endsWith('utxos/count')
  const full = { each: json([], { headers: { 'cache-control': 'public, max-age=60' } }) }

  it('is an error with the count, not an empty list', async () => {
    const { fetcher } = scriptFetch((sent) => (isCount(sent) ? json({ count: 10001 }) : full.each.clone()))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    await expect(rest.getUtxosByAddress(alice)).rejects.toMatchObject({
      code: 'too-many',
      message: `REST request GET https://indexer.test/addresses/${alice}/utxos has more entries than the server lists: 10001 unspent outputs`,
    })
  })

  it('is an empty list where the count says so too', async () => {
    const { fetcher } = scriptFetch((sent) => (isCount(sent) ? json({ count: 0 }) : full.each.clone()))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    await expect(rest.getUtxosByAddress(alice)).resolves.toEqual([])
  })

  it('is detected among several addresses by their balances', async () => {
    const { fetcher } = scriptFetch((sent) => {
      if (isCount(sent)) return json({ count: 10001 })
      if (sent.url.endsWith('/balances')) return json([{ address: bob, balance: 7 }])
      return full.each.clone()
    })
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    await expect(rest.getUtxosByAddresses([bob])).rejects.toMatchObject({ code: 'too-many' })
  })
})

describe('pages of an address', () => {
  it('are iterated to the end', async () => {
    const page = (id: string, before?: string) =>
      json([{ transaction_id: id }], { headers: before === undefined ? {} : { 'x-next-page-before': before } })
    const { fetcher, sent } = scriptFetch(page('c', '300'), page('b', '200'), page('a'))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    const seen: unknown[] = []
    for await (const transactions of rest.getFullTransactionsByAddressPages(alice, { limit: 1 })) {
      seen.push(transactions[0]?.transactionId)
    }
    expect(seen).toEqual(['c', 'b', 'a'])
    expect(sent.map(({ url }) => new URL(url).searchParams.get('before'))).toEqual([null, '300', '200'])
  })

  it('are fetched on demand', async () => {
    const { fetcher, sent } = scriptFetch(json([], { headers: { 'x-next-page-after': '5' } }))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    for await (const page of rest.getFullTransactionsByAddressPages(alice, { after: 1 })) {
      expect(page).toEqual([])
      break
    }
    expect(sent).toHaveLength(1)
  })

  it.each([
    ['repeats the same page', 'before', [7]],
    ['leads back to newer pages', 'before', [7, 5, 6]],
    ['leads back to older pages', 'after', [7, 9, 8]],
  ] as const)('reject if the server %s', async (_, direction, cursors) => {
    const pages = cursors.map((at) => json([{}], { headers: { [`x-next-page-${direction}`]: String(at) } }))
    const { fetcher, sent } = scriptFetch(...pages)
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    const readAll = async () => {
      const options = direction === 'after' ? { after: 1 } : {}
      for await (const page of rest.getFullTransactionsByAddressPages(alice, options)) {
        if (sent.length > 10) return page
      }
      return 'read'
    }
    await expect(readAll()).rejects.toThrow(
      /got an unexpected response: the next page does not lead further than this one$/,
    )
  })

  it('reject an invalid cursor header', async () => {
    const { fetcher } = scriptFetch(json([], { headers: { 'x-next-page-before': 'soon' } }))
    const rest = createRestClient({ baseUrl: 'https://indexer.test', fetcher })
    await expect(rest.getFullTransactionsByAddressPage(alice)).rejects.toMatchObject({ code: 'malformed' })
  })
})
