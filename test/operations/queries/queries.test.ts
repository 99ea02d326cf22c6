import { NEVER, defer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import { serializeTransaction } from '../../../src/model/serialized-transaction.js'
import { transactionId } from '../../../src/model/transaction-id.js'
import type { RpcResponse } from '../../../src/node/messages/records.js'
import { toCall } from '../../../src/operations/queries/call.js'
import { createSentIds } from '../../../src/model/bounded-collections.js'
import { createQueries } from '../../../src/operations/queries/queries.js'
import type { RpcQueries } from '../../../src/operations/queries/rpc-queries.js'
import { fixtures } from '../../../src/testing/fixtures/fixtures.js'
import { RELAYABLE } from '../../relayable-transaction.js'
import { scriptedCall } from './scripted-call.js'

const HASH = 'ab'.repeat(32)
const ADDRESS = addressOfPublicKey('11'.repeat(32), 'kaspasim')
const OTHER = addressOfPublicKey('22'.repeat(32), 'kaspasim')
const FOREIGN = addressOfPublicKey('11'.repeat(32), 'kaspa')

const BLOCK = fixtures.block({
  header: { hash: HASH, timestamp: 1_795_232_945_096n, blueScore: 8n },
  verboseData: { transactionIds: ['cd'.repeat(32)] },
})

const ENTRY = fixtures.mempoolEntry({
  fee: 3n,
  transaction: fixtures.transaction({ inputs: [], mass: 0n, verboseData: { transactionId: HASH } }),
})

const BALANCE = { address: ADDRESS, balance: 1n }
const balancesOf = (rpc: RpcQueries) => rpc.getBalancesByAddresses([ADDRESS])

const serverInfo = fixtures.serverInfo({ isSynced: false, virtualDaaScore: 7n })

const info: RpcResponse<'getInfo'> = {
  p2pId: '',
  mempoolSize: 0n,
  serverVersion: '2.1.0',
  isUtxoIndexed: true,
  isSynced: true,
  hasNotifyCommand: true,
  hasMessageId: false,
}

function queriesOver(responses: Parameters<typeof scriptedCall>[0]): RpcQueries & { calls: unknown[] } {
  const { call, calls } = scriptedCall(responses)
  return { ...createQueries({ call, network: () => 'simnet', sentIds: createSentIds() }), calls }
}

describe('a query', () => {
  it('combines two calls for getInfo', async () => {
    const rpc = queriesOver({ getServerInfo: serverInfo, getInfo: info })
    expect(await rpc.getInfo()).toEqual({
      isUtxoIndexEnabled: true,
      isSynced: false,
      hasNotifyCommand: true,
      hasMessageId: false,
      serverVersion: '2.1.0',
      networkId: 'simnet',
    })
  })

  it('returns the header time and the transaction ids of a block', async () => {
    const rpc = queriesOver({ getBlock: { block: BLOCK } })
    expect(await rpc.getBlock(HASH.toUpperCase())).toEqual({
      hash: HASH,
      timestamp: 1_795_232_945_096,
      blueScore: 8n,
      transactions: ['cd'.repeat(32)],
    })
    expect(rpc.calls).toEqual([{ method: 'getBlock', request: { hash: HASH, includeTransactions: false } }])
  })

  it('rejects a block without verbose data', async () => {
    const rpc = queriesOver({ getBlock: { block: { ...BLOCK, verboseData: undefined } } })
    await expect(rpc.getBlock(HASH)).rejects.toMatchObject({ code: 'malformed', method: 'getBlock' })
  })

  it.each<[string, Parameters<typeof queriesOver>[0], (rpc: RpcQueries) => Promise<unknown>]>([
    ['a block', { getBlock: { block: BLOCK } }, (rpc) => rpc.getBlock('cd'.repeat(32))],
    ['a transaction', { getMempoolEntry: { mempoolEntry: ENTRY } }, (rpc) => rpc.getMempoolEntry('cd'.repeat(32))],
    ['a balance', { getBalancesByAddresses: { entries: [BALANCE] } }, (rpc) => rpc.getBalancesByAddresses([OTHER])],
    ['more balances', { getBalancesByAddresses: { entries: [BALANCE, BALANCE] } }, balancesOf],
    ['fewer balances', { getBalancesByAddresses: { entries: [] } }, balancesOf],
    [
      'the mempool of an address',
      { getMempoolEntriesByAddresses: { entries: [{ address: OTHER, sending: [], receiving: [ENTRY] }] } },
      (rpc) => rpc.getMempoolEntriesByAddresses([ADDRESS]),
    ],
    [
      'times',
      { getDaaScoreTimestampEstimate: { timestamps: [1n] } },
      (rpc) => rpc.getDaaScoreTimestampEstimate([1n, 2n]),
    ],
    ['a text', { getUtxoReturnAddress: { returnAddress: 'none' } }, (rpc) => rpc.getUtxoReturnAddress(HASH, 1n)],
  ])('rejects a response that is not about what was requested: %s', async (_, responses, query) => {
    await expect(query(queriesOver(responses))).rejects.toMatchObject({ code: 'malformed' })
  })

  it('returns address and balance, 0n for an unknown address', async () => {
    const rpc = queriesOver({
      getBalanceByAddress: { balance: 12n },
      getBalancesByAddresses: { entries: [{ address: ADDRESS, balance: undefined }] },
    })
    expect(await rpc.getBalanceByAddress(ADDRESS)).toEqual({ address: ADDRESS, balance: 12n })
    expect(await rpc.getBalancesByAddresses([ADDRESS])).toEqual([{ address: ADDRESS, balance: 0n }])
  })

  it('returns the records of the interface', async () => {
    const estimate = { priorityBucket: { feerate: 100, estimatedSeconds: 1 }, normalBuckets: [], lowBuckets: [] }
    const rpc = queriesOver({
      getMempoolEntries: { mempoolEntries: [ENTRY] },
      getFeeEstimate: { estimate },
      getSinkBlueScore: { blueScore: 4n },
      getCoinSupply: { maxSompi: 9n, circulatingSompi: 5n },
      getPeerAddresses: { knownAddresses: [{ ip: '10.0.0.1', port: 16111 }], bannedAddresses: ['10.0.0.2'] },
      getDaaScoreTimestampEstimate: { timestamps: [1_633_687_894_966n] },
      getCurrentNetwork: { network: 'simnet' },
      getUtxoReturnAddress: { returnAddress: ADDRESS },
    })
    expect(await rpc.getMempoolEntries()).toMatchObject([
      { fee: 3n, isOrphan: false, transaction: { id: HASH, inputs: [] } },
    ])
    expect(await rpc.getFeeEstimate()).toEqual(estimate)
    expect(await rpc.getSinkBlueScore()).toEqual({ sinkBlueScore: 4n })
    expect(await rpc.getCoinSupply()).toEqual({ circulatingCoinSupply: 5n, maxCoinSupply: 9n })
    expect(await rpc.getPeerAddresses()).toEqual({
      known: [{ ip: '10.0.0.1', port: 16111 }],
      banned: [{ ip: '10.0.0.2' }],
    })
    expect(await rpc.getDaaScoreTimestampEstimate([0n])).toEqual([1_633_687_894_966])
    expect(await rpc.getCurrentNetwork()).toBe('simnet')
    expect(await rpc.getUtxoReturnAddress(HASH, 1n)).toBe(ADDRESS)
  })

  it('submits the result of serialize()', async () => {
    const rpc = queriesOver({ submitTransaction: { transactionId: HASH } })
    const serialized = serializeTransaction(RELAYABLE)
    expect(await rpc.submitTransaction(serialized)).toBe(transactionId(RELAYABLE)) // not the id that the node reports
    expect(rpc.calls).toEqual([
      { method: 'submitTransaction', request: { transaction: RELAYABLE, allowOrphan: false } },
    ])
  })

  it('accepts IPv4 and IPv6 peers with and without a port', async () => {
    const rpc = queriesOver({ addPeer: {} })
    for (const peer of ['10.0.0.1', '10.0.0.1:16111', '::1', '[::1]:16111']) await rpc.addPeer(peer)
    expect(rpc.calls.map((one) => (one as { request: { peerAddress: unknown } }).request.peerAddress)).toEqual([
      { ip: '10.0.0.1', port: undefined },
      { ip: '10.0.0.1', port: 16111 },
      { ip: '::1', port: undefined },
      { ip: '::1', port: 16111 },
    ])
  })
})

describe('an invalid argument', () => {
  const bad: [name: string, argument: string, query: (rpc: RpcQueries) => Promise<unknown>][] = [
    ['a hash of 63 digits', 'hash', (rpc) => rpc.getBlock(HASH.slice(1))],
    ['a hash that is not hex', 'startHash', (rpc) => rpc.getVirtualChainFromBlock('zz'.repeat(32), true)],
    ['an address of another network', 'address', (rpc) => rpc.getBalanceByAddress(FOREIGN)],
    ['an address with a typo', 'addresses[1]', (rpc) => rpc.getUtxosByAddresses([ADDRESS, `${ADDRESS}q`])],
    ['a string instead of a list', 'addresses', (rpc) => rpc.getUtxosByAddresses(ADDRESS as never)],
    ['transactions without blocks', 'includeTransactions', (rpc) => rpc.getBlocks({ includeTransactions: true })],
    ['a fractional window', 'windowSize', (rpc) => rpc.estimateNetworkHashesPerSecond(0.5)],
    ['a negative score', 'daaScores[0]', (rpc) => rpc.getDaaScoreTimestampEstimate([-1n])],
    ['a missing list of scores', 'daaScores', (rpc) => rpc.getDaaScoreTimestampEstimate(undefined as never)],
    ['an IP address with a typo', 'ip', (rpc) => rpc.ban('10.0.0.256')],
    ['a port above 65535', 'peerAddress', (rpc) => rpc.addPeer('10.0.0.1:65536')],
    ['extra data that is not hex', 'extraData', (rpc) => rpc.getBlockTemplate(ADDRESS, 'xyz')],
    [
      'a transaction without amounts',
      'transaction',
      (rpc) => rpc.submitTransaction({ ...ENTRY.transaction, gas: 'much' }),
    ],
  ]

  it.each(bad)('%s is rejected with its name, and nothing is sent', async (_, argument, query) => {
    const rpc = queriesOver({})
    const error: unknown = await query(rpc).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ChainRpcError)
    expect(error).toMatchObject({ code: 'invalid-argument', argument })
    expect(rpc.calls).toEqual([])
  })
})

it('rejects null options with ChainRpcError', async () => {
  const rpc = queriesOver({})
  await expect(rpc.getBlocks(null as never)).rejects.toMatchObject({ name: 'ChainRpcError', code: 'invalid-argument' })
  expect(rpc.calls).toEqual([])
})

/** A request without a signal, which no test of signals sends. */
const pending = () => new Promise<never>(() => undefined)

describe('a signal', () => {
  it('aborts a pending call', async () => {
    const rpc = createQueries({
      call: toCall({ call: () => NEVER, request: pending }),
      network: () => 'simnet',
      sentIds: createSentIds(),
    })
    const controller = new AbortController()
    const sink = rpc.getSink({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(sink).rejects.toMatchObject({ code: 'aborted', method: 'getSink', cause: new Error('enough') })
  })

  it('that is already aborted prevents the request', async () => {
    const calls: string[] = []
    const call$ = (method: string) =>
      defer(() => {
        calls.push(method)
        return NEVER
      })
    const call = toCall({ call: call$, request: pending })
    const rpc = createQueries({ call, network: () => 'simnet', sentIds: createSentIds() })
    await expect(rpc.getBlocks({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    await expect(rpc.getBlock(HASH, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'aborted' })
    expect(calls).toEqual([])
  })
})
