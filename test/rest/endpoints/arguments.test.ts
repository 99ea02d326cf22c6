import { describe, expect, it } from 'vitest'
import { createRestClient, type ChainRestClient } from '../../../src/rest/client.js'
import { world } from '../recordings.js'
import { scriptFetch, noResponse } from '../scripted-fetch.js'

const { alice = '' } = world.addresses
const TX = world.transactions.plain ?? ''
const ofMainnet = 'kaspa:qq2pfqdlzxq76cd2qf03lecg76xtqxxze8twkuvuek2t8ahlv9fssgcml7rl2'
const input = { previousOutpoint: { transactionId: TX, index: 0 }, signatureScript: '', sequence: 0, sigOpCount: 1 }
const output = { amount: 5, scriptPublicKey: { version: 0, scriptPublicKey: '' } }
const submit = (change: object) => (rest: ChainRestClient) =>
  rest.submitTransaction({ version: 0, inputs: [input], outputs: [output], ...change })
/** A value without type checks, as a JavaScript caller passes it. */
const loose = (value: unknown) => value as never

const REJECTED: readonly (readonly [string, (rest: ChainRestClient) => Promise<unknown>])[] = [
  ['address', (rest) => rest.getAddressBalance('')],
  ['address', (rest) => rest.getAddressBalance(loose(undefined))],
  ['address', (rest) => rest.getAddressBalance(alice.slice(0, -1))],
  ['address', (rest) => rest.getAddressBalance(`${alice.slice(0, -1)}q`)],
  ['address', (rest) => rest.getAddressBalance(alice.toUpperCase())],
  ['address', (rest) => rest.getAddressBalance(alice.replace('kaspasim:', ''))],
  ['address', (rest) => rest.getAddressBalance(ofMainnet)],
  ['address', (rest) => rest.getUtxosByAddress('../info')],
  ['addresses', (rest) => rest.getBalancesByAddresses(loose(alice))],
  ['addresses[1]', (rest) => rest.getBalancesByAddresses([alice, ofMainnet])],
  ['addresses[0]', (rest) => rest.getUtxosByAddresses(['nonsense'])],
  ['addresses[0]', (rest) => rest.getAddressesActive([loose(5)])],
  // without a list, the server would use its own example address
  ['addresses', (rest) => rest.getBalancesByAddresses(loose(undefined))],
  ['addresses', (rest) => rest.getUtxosByAddresses(loose(null))],
  ['addresses', (rest) => rest.getAddressesActive(loose(undefined))],
  ['transactionIds', (rest) => rest.getTransactionAcceptance(loose(undefined))],
  ['transaction', (rest) => rest.submitTransaction(loose(undefined))],
  ['transactionId', (rest) => rest.getTransaction(TX.slice(1))],
  ['transactionId', (rest) => rest.getTransactionById(`${TX}aa`)],
  ['transactionId', (rest) => rest.getTransaction(TX.toUpperCase())],
  ['transactionIds[1]', (rest) => rest.getTransactionAcceptance([TX, 'zz'])],
  ['transactionIds[0]', (rest) => rest.searchTransactions({ transactionIds: ['abc'] })],
  ['acceptingBlueScores.lt', (rest) => rest.searchTransactions({ acceptingBlueScores: loose({ gte: 1 }) })],
  ['acceptingBlueScores.gte', (rest) => rest.searchTransactions({ acceptingBlueScores: { gte: 1.5, lt: 2 } })],
  [
    'acceptingBlueScores',
    (rest) => rest.searchTransactions({ transactionIds: [TX], acceptingBlueScores: { gte: 1, lt: 2 } }),
  ],
  ['transactionIds', (rest) => rest.searchTransactions({})],
  ['transactionIds', (rest) => rest.searchTransactions({ transactionIds: null, acceptingBlueScores: null })],
  ['hash', (rest) => rest.getBlock('abc')],
  ['lowHash', (rest) => rest.getBlocks(loose({}))],
  ['lowHash', (rest) => rest.getBlocks({ lowHash: `${TX}zz` })],
  ['includeBlocks', (rest) => rest.getBlocks({ lowHash: TX, includeTransactions: true })],
  ['startHash', (rest) => rest.getVirtualChainFromBlock('xyz')],
  ['blueScore', (rest) => rest.getBlocksFromBlueScore({})],
  ['blueScoreGte', (rest) => rest.getBlocksFromBlueScore({ blueScore: 1, blueScoreGte: 1 })],
  ['blueScoreLt', (rest) => rest.getBlocksFromBlueScore({ blueScoreLt: -1 })],
  ['blueScoreGte', (rest) => rest.getVirtualChain()],
  ['blueScoreGte', (rest) => rest.getVirtualChain({ blueScoreGte: 65 })],
  ['blueScoreGte', (rest) => rest.getVirtualChain({ blueScoreGte: 60, limit: 100 })],
  ['limit', (rest) => rest.getVirtualChain({ blueScoreGte: 50, limit: loose(50) })],
  ['dayOrMonth', (rest) => rest.getTransactionsCountFor('2025-02-30')],
  ['dayOrMonth', (rest) => rest.getTransactionsCountFor('2025-13')],
  ['dayOrMonth', (rest) => rest.getHashrateHistoryFor('today')],
  ['dayOrMonth', (rest) => rest.getAddressBalanceHistory(alice, '2025-7-1')],
  ['resolution', (rest) => rest.getHashrateHistory({ resolution: loose('2h') })],
  ['field', (rest) => rest.getHalving(loose('other'))],
  ['before', (rest) => rest.getTopAddresses({ before: 1795233600001 })],
  ['before', (rest) => rest.getAddressDistribution({ before: 1795222800000, limit: 24 })],
  ['limit', (rest) => rest.getAddressDistribution({ limit: loose(5) })],
  ['limit', (rest) => rest.getFullTransactionsByAddress(alice, { limit: 501 })],
  ['limit', (rest) => rest.getFullTransactionsByAddressPage(alice, { limit: 0 })],
  ['offset', (rest) => rest.getFullTransactionsByAddress(alice, { offset: -1 })],
  ['before', (rest) => rest.getFullTransactionsByAddressPage(alice, { before: 1, after: 1 })],
  ['fields', (rest) => rest.getFullTransactionsByAddress(alice, { fields: 'hash, inputs' })],
  ['resolvePreviousOutpoints', (rest) => rest.getTransaction(TX, { resolvePreviousOutpoints: loose('maybe') })],
  ['inputs', (rest) => rest.getTransaction(TX, { inputs: loose('yes') })],
  ['blockHash', (rest) => rest.getTransaction(TX, { blockHash: 'xyz' })],
  ['transaction', (rest) => rest.submitTransaction(loose('00'))],
  ['transaction.version', submit({ version: 70000 })],
  ['transaction.inputs', submit({ inputs: undefined })],
  ['transaction.inputs[0].sigOpCount', submit({ inputs: [{ ...input, sigOpCount: 300 }] })],
  ['transaction.inputs[0].sequence', submit({ inputs: [{ ...input, sequence: 2n ** 64n }] })],
  ['transaction.inputs[0].signatureScript', submit({ inputs: [{ ...input, signatureScript: 'abc' }] })],
  [
    'transaction.inputs[0].previousOutpoint.transactionId',
    submit({ inputs: [{ ...input, previousOutpoint: { transactionId: 'ab', index: 0 } }] }),
  ],
  ['transaction.outputs[0].amount', submit({ outputs: [{ ...output, amount: 1.9 }] })],
  ['transaction.outputs[0].amount', submit({ outputs: [{ ...output, amount: 0 }] })],
  ['transaction.outputs[0].amount', submit({ outputs: [{ ...output, amount: '0x10' }] })],
  ['transaction.outputs[0].amount', submit({ outputs: [{ ...output, amount: 2 ** 53 }] })],
  ['transaction.outputs[0].scriptPublicKey', submit({ outputs: [{ amount: 5 }] })],
  ['transaction.subnetworkId', submit({ subnetworkId: 'zz' })],
  ['transaction.subnetworkId', submit({ subnetworkId: '00' })],
  ['transaction.subnetworkId', submit({ subnetworkId: '0'.repeat(42) })],
  ['transaction.payload', submit({ payload: 'abcd' })],
  // the server drops these, which changes the id
  ['transaction.gas', submit({ gas: 1n })],
  ['transaction.inputs[0].computeBudget', submit({ version: 1, inputs: [{ ...input, computeBudget: 5 }] })],
  [
    'transaction.outputs[0].covenant',
    submit({ version: 1, outputs: [{ ...output, covenant: { authorizingInput: 0, covenantId: TX } }] }),
  ],
  ['path', (rest) => rest.request('GET', 'info/price')],
  ['path', (rest) => rest.request('GET', 'https://elsewhere.test/')],
  ['path', (rest) => rest.request('GET', '//elsewhere.test/')],
  ['path', (rest) => rest.request('GET', '/info/../../elsewhere')],
  ['path', (rest) => rest.request('GET', '/%2E./elsewhere?a=1')],
  ['path', (rest) => rest.request('GET', '/..')],
  ['method', (rest) => rest.request(loose('DELETE'), '/info/price')],
  ['timeout', (rest) => rest.getPrice({ timeout: -1 })],
  ['staleTime', (rest) => rest.getPrice({ staleTime: Number.NaN })],
]

describe('an invalid argument', () => {
  it.each(REJECTED)('is rejected before a request is sent, and named: %s', async (argument, call) => {
    const { fetcher, sent } = scriptFetch(noResponse)
    const rest = createRestClient({ baseUrl: 'https://indexer.test', network: 'simnet', fetcher })
    await expect(call(rest)).rejects.toMatchObject({ name: 'ChainRestError', code: 'invalid-argument', argument })
    expect(sent).toEqual([])
  })

  it('is explained in the message', async () => {
    const rest = createRestClient({ baseUrl: 'https://indexer.test' })
    await expect(rest.getBlock('abc')).rejects.toThrow(
      'REST request GET https://indexer.test/blocks/{hash} was not sent: "hash" must be 64 hex digits in lower case',
    )
  })

  it('is an address of another network if the client’s network is known', async () => {
    const { fetcher, sent } = scriptFetch(noResponse)
    const rest = createRestClient({ network: 'mainnet', fetcher })
    await expect(rest.getAddressBalance(alice)).rejects.toThrow(
      '"address" is an address of another network than mainnet',
    )
    expect(sent).toEqual([])
  })
})

describe('an invalid option', () => {
  it.each([
    ['baseUrl', { baseUrl: 'indexer.test' }],
    ['baseUrl', { baseUrl: 'ftp://indexer.test' }],
    ['baseUrl', { baseUrl: 'https://user:secret@indexer.test' }],
    ['baseUrl', { baseUrl: 'https://indexer.test/?key=secret' }],
    ['network', { network: loose('testnet') }],
    ['staleTime', { staleTime: -1 }],
    ['cacheTime', { cacheTime: Number.NaN }],
    ['timeout', { timeout: -5 }],
    ['retries', { retries: 1.5 }],
    ['maxResponseSize', { maxResponseSize: 0 }],
    ['concurrency', { concurrency: 0 }],
  ])('is named when the client is created: %s', (argument, options) => {
    const make = () => createRestClient(options)
    expect(make).toThrow(expect.objectContaining({ name: 'ChainError', code: 'invalid-option', argument }) as Error)
    expect(make).not.toThrow(/secret/)
  })
})
