import { describe, expect, it } from 'vitest'
import { recording } from '../../rest/recordings.js'
import { FEE, utxoCreatedBy, walletOf } from '../ledger/wallet.js'
import { createLocalIndexer } from './local-indexer.js'
import { differencesOf, shapeOf } from './shape-of.js'

const [alice, bob] = [walletOf(1), walletOf(2)]
const AMOUNT = 5_000_000_000n

/** A chain on which alice has paid bob and bob has paid back. */
function createScenario() {
  const indexer = createLocalIndexer([{ address: alice.address, amount: 100n * AMOUNT }])
  indexer.mine(3)
  const utxos = indexer.ledger.expected.utxos([alice.address])
  const payment = alice.pay(utxos, [
    { to: bob.address, amount: AMOUNT },
    { to: alice.address, amount: 99n * AMOUNT - FEE },
  ])
  const submit = (transaction: typeof payment) => {
    const response = indexer.ledger.call('submitTransaction', { transaction, allowOrphan: false }, 0)
    if (!response.ok) throw new Error(response.message)
    return response.value.transactionId
  }
  const paid = submit(payment)
  indexer.mine(2)
  const returned = submit(bob.pay([utxoCreatedBy(payment)], [{ to: alice.address, amount: AMOUNT - FEE }]))
  indexer.mine(2, 2)
  indexer.mine(2)
  const block = indexer.ledger.history.transaction(returned)?.blockHashes[0] ?? ''
  return { indexer, paid, returned, block }
}

const { indexer, paid, returned, block } = createScenario()
const genesis = indexer.ledger.expected.chain()[0] ?? ''
const low = indexer.ledger.expected.chain().at(-2) ?? ''
const A = `/addresses/${alice.address}`
const BODY = { addresses: [alice.address, bob.address] }

/** Recordings and the requests to compare with them. */
const PAIRS: readonly (readonly [family: string, name: string, method: string, target: string, body?: object])[] = [
  ['addresses', 'balance', 'GET', `${A}/balance`],
  ['addresses', 'balances-many', 'POST', '/addresses/balances', BODY],
  ['addresses', 'utxos-p2sh', 'GET', `${A}/utxos`],
  ['addresses', 'utxos-post-two', 'POST', '/addresses/utxos', BODY],
  ['addresses', 'utxo-count-table', 'GET', `${A}/utxos/count`],
  ['addresses', 'active-mixed', 'POST', '/addresses/active', { addresses: [alice.address, walletOf(9).address] }],
  ['addresses', 'top', 'GET', '/addresses/top'],
  ['addresses', 'distribution', 'GET', '/addresses/distribution'],
  ['addresses', 'history-day', 'GET', `${A}/balance/2026-11-21`],
  ['address-transactions', 'full-default-limit2', 'GET', `${A}/full-transactions?limit=2`],
  [
    'address-transactions',
    'page-full-resolve',
    'GET',
    `${A}/full-transactions-page?limit=2&resolve_previous_outpoints=full`,
  ],
  ['address-transactions', 'tx-count-erin', 'GET', `${A}/transactions-count`],
  ['transactions', 'by-id-plain', 'GET', `/transactions/${paid}`],
  ['transactions', 'by-id-multi-input-light', 'GET', `/transactions/${returned}?resolve_previous_outpoints=light`],
  ['transactions', 'by-id-two-senders-full', 'GET', `/transactions/${returned}?resolve_previous_outpoints=full`],
  [
    'transactions',
    'search-resolve-no',
    'POST',
    '/transactions/search?resolve_previous_outpoints=no',
    { transactionIds: [paid, returned] },
  ],
  [
    'transactions',
    'search-resolve-full',
    'POST',
    '/transactions/search?resolve_previous_outpoints=full',
    { transactionIds: [returned] },
  ],
  [
    'transactions',
    'search-scores',
    'POST',
    '/transactions/search?fields=transaction_id,block_time,accepting_block_blue_score,is_accepted',
    { acceptingBlueScores: { gte: 1, lt: 9 } },
  ],
  ['transactions', 'acceptance-mixed', 'POST', '/transactions/acceptance', { transactionIds: [paid, 'ab'.repeat(32)] }],
  ['blocks', 'by-id', 'GET', `/blocks/${block}`],
  ['blocks', 'by-id-no-transactions', 'GET', `/blocks/${block}?includeTransactions=false`],
  ['blocks', 'by-id-genesis', 'GET', `/blocks/${genesis}`],
  ['blocks', 'list-hashes', 'GET', `/blocks?lowHash=${low}`],
  ['blocks', 'list-blocks-transactions', 'GET', `/blocks?lowHash=${low}&includeBlocks=true&includeTransactions=true`],
  ['blocks', 'bluescore', 'GET', '/blocks-from-bluescore?blueScore=4'],
  ['blocks', 'bluescore-transactions', 'GET', '/blocks-from-bluescore?blueScore=4&includeTransactions=true'],
  ['virtual-chain', 'ten-resolved', 'GET', '/virtual-chain?blueScoreGte=0&resolveInputs=true'],
  ['virtual-chain', 'ten-no-coinbase', 'GET', '/virtual-chain?blueScoreGte=0&includeCoinbase=false'],
  ['info', 'blue-score', 'GET', '/info/virtual-chain-blue-score'],
  ['info', 'blockdag', 'GET', '/info/blockdag'],
  ['info', 'network', 'GET', '/info/network'],
  ['info', 'coinsupply', 'GET', '/info/coinsupply'],
  ['info', 'coinsupply-circulating', 'GET', '/info/coinsupply/circulating'],
  ['info', 'coinsupply-total-in_billion-true', 'GET', '/info/coinsupply/total?in_billion=true'],
  ['info', 'blockreward', 'GET', '/info/blockreward'],
  ['info', 'blockreward-stringOnly-true', 'GET', '/info/blockreward?stringOnly=true'],
  ['info', 'hashrate', 'GET', '/info/hashrate'],
  ['info', 'hashrate-stringOnly-true', 'GET', '/info/hashrate?stringOnly=true'],
  ['info', 'halving', 'GET', '/info/halving'],
  ['info', 'halving-field-nextHalvingDate', 'GET', '/info/halving?field=nextHalvingDate'],
  ['info', 'halving-field-nextHalvingTimestamp', 'GET', '/info/halving?field=nextHalvingTimestamp'],
  ['info', 'hashrate-max', 'GET', '/info/hashrate/max'],
  ['info', 'history-7d', 'GET', '/info/hashrate/history?resolution=7d'],
  ['info', 'history-today-1h', 'GET', '/info/hashrate/history/2026-11-21?resolution=1h'],
  ['info', 'fee-estimate', 'GET', '/info/fee-estimate'],
  ['info', 'health', 'GET', '/info/health'],
  ['info', 'kaspad', 'GET', '/info/kaspad'],
  ['info', 'ping', 'GET', '/ping'],
  ['info', 'vscp', 'GET', `/info/get-vscp-from-block?startHash=${low}`],
  ['counts', 'tx-total', 'GET', '/transactions/count/'],
  ['counts', 'tx-today', 'GET', '/transactions/count/2026-11-21'],
  ['counts', 'active-total', 'GET', '/addresses/active/count/'],
  ['counts', 'active-today', 'GET', '/addresses/active/count/2026-11-21'],
]

it('differencesOf finds missing fields and other types', () => {
  const [ours, theirs] = [
    { a: 1, c: [{ d: 1 }] },
    { a: '1', b: null, c: [{ d: 1, e: 2 }] },
  ]
  expect(differencesOf(shapeOf(ours), shapeOf(theirs))).toEqual([
    '$.a is number, not string',
    '$.b is missing',
    '$.c[].e is missing',
  ])
})

describe('a response has the shape of the recorded one', () => {
  it.each(PAIRS.map(([family, name, method, target, body]) => ({ family, name, method, target, body })))(
    '$name',
    async ({ family, name, method, target, body }) => {
      const recorded = recording(family, name)
      const response = await indexer.request(method, target, body && JSON.stringify(body))
      expect(response.status).toBe(recorded.status)
      expect(response.headers?.['content-type']).toBe(recorded.headers['content-type'])
      expect(Object.keys(response.headers ?? {}).includes('cache-control')).toBe('cache-control' in recorded.headers)
      if (recorded.headers['content-type'] !== 'application/json') return
      expect(differencesOf(shapeOf(parse(response.body)), shapeOf(parse(recorded.body)))).toEqual([])
    },
  )
})

const parse = (text = ''): unknown => JSON.parse(text)
