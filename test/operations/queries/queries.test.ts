import { NEVER, defer } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { ChainRpcError } from '../../../src/errors/rpc-error.js'
import { addressOfPublicKey } from '../../../src/model/address.js'
import type { RpcBlock, RpcResponse, RpcTransaction } from '../../../src/node/messages/records.js'
import { toCall } from '../../../src/operations/queries/call.js'
import { createQueries } from '../../../src/operations/queries/queries.js'
import type { RpcQueries } from '../../../src/operations/queries/rpc-queries.js'
import { scriptedCall } from './scripted-call.js'

const HASH = 'ab'.repeat(32)
const ADDRESS = addressOfPublicKey('11'.repeat(32), 'kaspasim')
const FOREIGN = addressOfPublicKey('11'.repeat(32), 'kaspa')

const header: RpcBlock['header'] = {
  hash: HASH,
  version: 2,
  parentsByLevel: [[HASH]],
  hashMerkleRoot: HASH,
  acceptedIdMerkleRoot: HASH,
  utxoCommitment: HASH,
  timestamp: 1_795_232_945_096n,
  bits: 545_259_519,
  nonce: 12_345_678_901_234_567_890n,
  daaScore: 9n,
  blueWork: '0'.repeat(48),
  blueScore: 8n,
  pruningPoint: HASH,
}

const transaction: RpcTransaction = {
  version: 0,
  inputs: [],
  outputs: [{ value: 5n, scriptPublicKey: { version: 0, script: '51' } }],
  lockTime: 0n,
  subnetworkId: '0'.repeat(40),
  gas: 0n,
  payload: '',
  mass: 0n,
}

const serverInfo: RpcResponse<'getServerInfo'> = {
  rpcApiVersion: 1,
  rpcApiRevision: 0,
  serverVersion: '2.1.0',
  networkId: 'simnet',
  hasUtxoIndex: true,
  isSynced: false,
  virtualDaaScore: 7n,
}

const info: RpcResponse<'getInfo'> = {
  p2pId: '',
  mempoolSize: 0n,
  serverVersion: '2.1.0',
  isUtxoIndexed: true,
  isSynced: true,
  hasNotifyCommand: true,
  hasMessageId: false,
}

function queriesOver(answers: Parameters<typeof scriptedCall>[0]): RpcQueries & { asked: unknown[] } {
  const { call, asked } = scriptedCall(answers)
  return { ...createQueries({ call, network: () => 'simnet' }), asked }
}

describe('a query', () => {
  it('joins the two calls that hold what getInfo promises', async () => {
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

  it('tells of a block the time of its header and the ids of its transactions', async () => {
    const verboseData = {
      hash: HASH,
      difficulty: 1,
      selectedParentHash: HASH,
      transactionIds: ['cd'.repeat(32)],
      isHeaderOnly: false,
      blueScore: 8n,
      childrenHashes: [],
      mergeSetBluesHashes: [],
      mergeSetRedsHashes: [],
      isChainBlock: true,
    }
    const rpc = queriesOver({ getBlock: { block: { header, transactions: [], verboseData } } })
    expect(await rpc.getBlock(HASH.toUpperCase())).toEqual({
      hash: HASH,
      timestamp: 1_795_232_945_096,
      blueScore: 8n,
      transactions: ['cd'.repeat(32)],
    })
    expect(rpc.asked).toEqual([{ method: 'getBlock', request: { hash: HASH, includeTransactions: false } }])
  })

  it('does not take a block for empty where a node left out the verbose data', async () => {
    const rpc = queriesOver({ getBlock: { block: { header, transactions: [], verboseData: undefined } } })
    await expect(rpc.getBlock(HASH)).rejects.toMatchObject({ code: 'malformed', method: 'getBlock' })
  })

  it('names an address beside its balance, 0n where the node knows of none', async () => {
    const rpc = queriesOver({
      getBalanceByAddress: { balance: 12n },
      getBalancesByAddresses: { entries: [{ address: ADDRESS, balance: undefined }] },
    })
    expect(await rpc.getBalanceByAddress(ADDRESS)).toEqual({ address: ADDRESS, balance: 12n })
    expect(await rpc.getBalancesByAddresses([ADDRESS])).toEqual([{ address: ADDRESS, balance: 0n }])
  })

  it('gives the records that the interface names', async () => {
    const verboseData = { transactionId: HASH, hash: HASH, computeMass: 1n, blockHash: HASH, blockTime: 0n }
    const mempoolEntry = { fee: 3n, isOrphan: false, transaction: { ...transaction, verboseData } }
    const estimate = { priorityBucket: { feerate: 100, estimatedSeconds: 1 }, normalBuckets: [], lowBuckets: [] }
    const rpc = queriesOver({
      getMempoolEntries: { mempoolEntries: [mempoolEntry] },
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

  it('submits what serialize() gave as well as a transaction', async () => {
    const rpc = queriesOver({ submitTransaction: { transactionId: HASH } })
    const outputs = [{ value: '5', scriptPublicKey: { version: 0, script: '51' } }]
    const serialized = { ...transaction, outputs, lockTime: '0', gas: '0', mass: '0' }
    expect(await rpc.submitTransaction(serialized)).toBe(HASH)
    expect(rpc.asked).toEqual([{ method: 'submitTransaction', request: { transaction, allowOrphan: false } }])
  })

  it('takes a peer with and without a port, of both IP versions', async () => {
    const rpc = queriesOver({ addPeer: {} })
    for (const peer of ['10.0.0.1', '10.0.0.1:16111', '::1', '[::1]:16111']) await rpc.addPeer(peer)
    expect(rpc.asked.map((one) => (one as { request: { peerAddress: unknown } }).request.peerAddress)).toEqual([
      { ip: '10.0.0.1', port: undefined },
      { ip: '10.0.0.1', port: 16111 },
      { ip: '::1', port: undefined },
      { ip: '::1', port: 16111 },
    ])
  })
})

describe('a bad argument', () => {
  const bad: [name: string, argument: string, ask: (rpc: RpcQueries) => Promise<unknown>][] = [
    ['a hash of 63 digits', 'hash', (rpc) => rpc.getBlock(HASH.slice(1))],
    ['a hash that is not hex', 'startHash', (rpc) => rpc.getVirtualChainFromBlock('zz'.repeat(32), true)],
    ['an address of another network', 'address', (rpc) => rpc.getBalanceByAddress(FOREIGN)],
    ['an address with a typo', 'addresses[1]', (rpc) => rpc.getUtxosByAddresses([ADDRESS, `${ADDRESS}q`])],
    ['no list at all', 'addresses', (rpc) => rpc.getUtxosByAddresses(ADDRESS as never)],
    ['transactions without blocks', 'includeTransactions', (rpc) => rpc.getBlocks({ includeTransactions: true })],
    ['half a window', 'windowSize', (rpc) => rpc.estimateNetworkHashesPerSecond(0.5)],
    ['a negative score', 'daaScores[0]', (rpc) => rpc.getDaaScoreTimestampEstimate([-1n])],
    ['no list of scores', 'daaScores', (rpc) => rpc.getDaaScoreTimestampEstimate(undefined as never)],
    ['an IP address with a typo', 'ip', (rpc) => rpc.ban('10.0.0.256')],
    ['a port beyond all ports', 'peerAddress', (rpc) => rpc.addPeer('10.0.0.1:65536')],
    ['extra data that is not hex', 'extraData', (rpc) => rpc.getBlockTemplate(ADDRESS, 'xyz')],
    ['a transaction without amounts', 'transaction', (rpc) => rpc.submitTransaction({ ...transaction, gas: 'much' })],
  ]

  it.each(bad)('that is %s is refused by its name, and nothing is sent', async (_, argument, ask) => {
    const rpc = queriesOver({})
    const error: unknown = await ask(rpc).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(ChainRpcError)
    expect(error).toMatchObject({ code: 'invalid-argument', argument })
    expect(rpc.asked).toEqual([])
  })
})

it('that is of no kind at all is refused as well, as every failure is', async () => {
  const rpc = queriesOver({})
  await expect(rpc.getBlocks(null as never)).rejects.toMatchObject({ name: 'ChainRpcError', code: 'invalid-argument' })
  expect(rpc.asked).toEqual([])
})

describe('a signal', () => {
  it('ends the wait for an answer', async () => {
    const rpc = createQueries({ call: toCall(() => NEVER), network: () => 'simnet' })
    const controller = new AbortController()
    const sink = rpc.getSink({ signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(sink).rejects.toMatchObject({ code: 'cancelled', method: 'getSink', cause: new Error('enough') })
  })

  it('that is given already keeps the question from being sent', async () => {
    const asked: string[] = []
    const call = toCall((method) =>
      defer(() => {
        asked.push(method)
        return NEVER
      }),
    )
    const rpc = createQueries({ call, network: () => 'simnet' })
    await expect(rpc.getBlocks({ signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    await expect(rpc.getBlock(HASH, { signal: AbortSignal.abort() })).rejects.toMatchObject({ code: 'cancelled' })
    expect(asked).toEqual([])
  })
})
