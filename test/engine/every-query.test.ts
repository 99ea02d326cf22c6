import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createDevnode, type Devnode } from '../../src/devnode/index.js'
import { createChainEngine, type ChainEngine } from '../../src/engine/engine.js'
import type { RpcEncoding } from '../../src/model/network.js'
import type { RpcQueries } from '../../src/operations/queries/rpc-queries.js'
import { RELAYABLE } from '../relayable-transaction.js'

/** A devnode with a few blocks, and the values that queries use. */
interface Fixture {
  readonly alice: string
  readonly block: string
  readonly sink: string
}

type Query = (rpc: RpcQueries, fixture: Fixture) => Promise<unknown>

const HASH = /^[0-9a-f]{64}$/
const anything = expect.anything() as unknown
const hash = expect.stringMatching(HASH) as string

/** The message of a node without `--unsaferpc`. */
const UNSAFE = expect.stringMatching(/^Method unavailable in safe mode/) as unknown

/** Each query with its expected result; a string is the node's error message. The type requires every query. */
const QUERIES: Record<keyof RpcQueries, readonly [query: Query, expected: (fixture: Fixture) => unknown]> = {
  ping: [(rpc) => rpc.ping(), () => undefined],
  getInfo: [
    (rpc) => rpc.getInfo(),
    () => ({
      isUtxoIndexEnabled: true,
      isSynced: true,
      hasNotifyCommand: true,
      hasMessageId: true,
      serverVersion: anything,
      networkId: 'simnet',
    }),
  ],
  getServerInfo: [(rpc) => rpc.getServerInfo(), () => expect.objectContaining({ hasUtxoIndex: true })],
  getSyncStatus: [(rpc) => rpc.getSyncStatus(), () => ({ isSynced: true })],
  getCurrentNetwork: [(rpc) => rpc.getCurrentNetwork(), () => 'simnet'],
  getConnectedPeerInfo: [(rpc) => rpc.getConnectedPeerInfo(), () => expect.any(Array)],
  getPeerAddresses: [
    (rpc) => rpc.getPeerAddresses(),
    () => ({ known: expect.any(Array) as unknown, banned: expect.any(Array) as unknown }),
  ],
  getMetrics: [(rpc) => rpc.getMetrics(), () => expect.objectContaining({ serverTime: expect.any(BigInt) as unknown })],
  getSystemInfo: [(rpc) => rpc.getSystemInfo(), () => expect.objectContaining({ version: anything })],
  getConnections: [(rpc) => rpc.getConnections(), () => expect.objectContaining({ clients: 1 })],
  addPeer: [(rpc) => rpc.addPeer('10.0.0.1:16111'), () => UNSAFE],
  ban: [(rpc) => rpc.ban('10.0.0.1'), () => UNSAFE],
  unban: [(rpc) => rpc.unban('10.0.0.1'), () => UNSAFE],
  shutdown: [(rpc) => rpc.shutdown(), () => UNSAFE],
  getBlock: [
    (rpc, { block }) => rpc.getBlock(block),
    ({ block }) => ({
      hash: block,
      timestamp: expect.any(Number) as unknown,
      blueScore: expect.any(BigInt) as unknown,
      transactions: [hash],
    }),
  ],
  getBlocks: [
    (rpc, { block }) => rpc.getBlocks({ lowHash: block, includeBlocks: true, includeTransactions: true }),
    ({ block, sink }) => ({ blockHashes: expect.arrayContaining([block, sink]) as unknown, blocks: anything }),
  ],
  getBlockCount: [(rpc) => rpc.getBlockCount(), () => ({ blockCount: 5n, headerCount: 5n })],
  getBlockDagInfo: [(rpc) => rpc.getBlockDagInfo(), ({ sink }) => expect.objectContaining({ sink, tipHashes: [sink] })],
  getHeaders: [(rpc, { block }) => rpc.getHeaders(block, 10, true), () => 'Not implemented'],
  getSink: [(rpc) => rpc.getSink(), ({ sink }) => ({ sink })],
  getSinkBlueScore: [(rpc) => rpc.getSinkBlueScore(), () => ({ sinkBlueScore: 5n })],
  getVirtualChainFromBlock: [
    (rpc, { block }) => rpc.getVirtualChainFromBlock(block, true),
    ({ sink }) => ({
      removedChainBlockHashes: [],
      addedChainBlockHashes: expect.arrayContaining([sink]) as unknown,
      acceptedTransactionIds: expect.arrayContaining([
        { acceptingBlockHash: sink, acceptedTransactionIds: [hash] },
      ]) as unknown,
    }),
  ],
  getVirtualChainFromBlockV2: [
    (rpc, { block }) => rpc.getVirtualChainFromBlockV2(block, { dataVerbosityLevel: 'Low' }),
    ({ sink }) => expect.objectContaining({ addedChainBlockHashes: expect.arrayContaining([sink]) as unknown }),
  ],
  getCurrentBlockColor: [(rpc, { block }) => rpc.getCurrentBlockColor(block), () => ({ blue: true })],
  getDaaScoreTimestampEstimate: [
    (rpc) => rpc.getDaaScoreTimestampEstimate([1n, 2n]),
    () => [expect.any(Number), expect.any(Number)],
  ],
  estimateNetworkHashesPerSecond: [
    (rpc) => rpc.estimateNetworkHashesPerSecond(1_000),
    () => expect.stringMatching(/^difficulty error: under min allowed window size/),
  ],
  getBlockTemplate: [
    (rpc, { alice }) => rpc.getBlockTemplate(alice),
    () => expect.objectContaining({ isSynced: true }),
  ],
  submitBlock: [
    async (rpc, { alice }) => rpc.submitBlock({ ...(await rpc.getBlockTemplate(alice)).block, transactions: [] }),
    () => ({ report: { type: 'reject', reason: 'blockInvalid' } }),
  ],
  resolveFinalityConflict: [(rpc, { block }) => rpc.resolveFinalityConflict(block), () => UNSAFE],
  getBalanceByAddress: [
    (rpc, { alice }) => rpc.getBalanceByAddress(alice),
    ({ alice }) => ({ address: alice, balance: expect.any(BigInt) as unknown }),
  ],
  getBalancesByAddresses: [
    (rpc, { alice }) => rpc.getBalancesByAddresses([alice]),
    ({ alice }) => [{ address: alice, balance: expect.any(BigInt) as unknown }],
  ],
  getUtxosByAddresses: [
    (rpc, { alice }) => rpc.getUtxosByAddresses([alice]),
    ({ alice }) => expect.arrayContaining([expect.objectContaining({ address: alice })]),
  ],
  getUtxosByOutpoints: [
    async (rpc, { alice }) => {
      const [entry] = await rpc.getUtxosByAddresses([alice])
      const { outpoint, scriptPublicKey } = entry!
      const other = { outpoint: { transactionId: 'ab'.repeat(32), index: 0 }, scriptPublicKey }
      const found = await rpc.getUtxosByOutpoints([other, { outpoint, scriptPublicKey }])
      return [found[0], found[1]?.outpoint.transactionId === outpoint.transactionId]
    },
    () => [null, true],
  ],
  getUtxoReturnAddress: [
    (rpc) => rpc.getUtxoReturnAddress('ab'.repeat(32), 1n),
    () => expect.stringMatching(/^utxo inquirer error: /),
  ],
  getCoinSupply: [
    (rpc) => rpc.getCoinSupply(),
    () => ({ circulatingCoinSupply: expect.any(BigInt) as unknown, maxCoinSupply: 2_900_000_000_000_000_000n }),
  ],
  getMempoolEntry: [(rpc) => rpc.getMempoolEntry('ab'.repeat(32)), () => `Transaction ${'ab'.repeat(32)} not found`],
  getMempoolEntries: [(rpc) => rpc.getMempoolEntries(), () => []],
  getMempoolEntriesByAddresses: [
    (rpc, { alice }) => rpc.getMempoolEntriesByAddresses([alice]),
    ({ alice }) => [{ address: alice, sending: [], receiving: [] }],
  ],
  getFeeEstimate: [
    (rpc) => rpc.getFeeEstimate(),
    () => expect.objectContaining({ priorityBucket: { feerate: 100, estimatedSeconds: anything } }),
  ],
  submitTransaction: [(rpc) => rpc.submitTransaction(RELAYABLE), () => expect.stringMatching(/^Rejected transaction/)],
  submitTransactionReplacement: [
    (rpc) => rpc.submitTransactionReplacement(RELAYABLE),
    () => expect.stringMatching(/^Rejected transaction/),
  ],
  getSubnetwork: [(rpc) => rpc.getSubnetwork('00'.repeat(20)), () => 'Not implemented'],
}

describe.each<RpcEncoding>(['Borsh', 'SerdeJson'])('over a socket in %s', (encoding) => {
  let devnode: Devnode
  let engine: ChainEngine
  let fixture: Fixture
  beforeAll(async () => {
    devnode = await createDevnode({ blockInterval: 0, accounts: 1 })
    const hashes = await devnode.mine(5)
    fixture = { alice: devnode.accounts[0]?.address ?? '', block: hashes[1] ?? '', sink: hashes.at(-1) ?? '' }
    const url = encoding === 'Borsh' ? devnode.urls.borsh : devnode.urls.json
    engine = createChainEngine({ network: 'simnet', encoding, url })
    await engine.connection.connect()
  })
  afterAll(async () => {
    await engine.dispose()
    await devnode.close()
  })

  it.each(Object.entries(QUERIES))('resolves %s', async (_, [query, expected]) => {
    const result = await query(engine.rpc, fixture).catch((error: unknown) => messageOf(error))
    expect(result).toEqual(expected(fixture))
  })
})

const messageOf = (error: unknown): unknown =>
  error instanceof Error && error.cause instanceof Error ? error.cause.message : error
