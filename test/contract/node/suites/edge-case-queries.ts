import { describe, expect, it, type TestContext } from 'vitest'
import { blockHash } from '../../../../src/model/block.js'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment, accountOf } from '../support/payment.js'

const KAS = 100_000_000n
const MAX_U64 = 2n ** 64n - 1n

/** Queries and blocks at the edges of the protocol. */
export function edgeCaseQueries(node: NodeUnderTest): void {
  const { client } = node
  /** Genesis and the chain block that merges it. A node has genesis only while it is the pruning point. */
  const genesis = async ({ skip }: TestContext) => {
    const { pruningPointHash: hash } = await client.call('getBlockDagInfo', {})
    const { block } = await client.call('getBlock', { hash, includeTransactions: false })
    skip(block.header.parentsByLevel.length > 0, 'The node has pruned genesis')
    const chain = { startHash: hash, includeAcceptedTransactionIds: false }
    const { addedChainBlockHashes } = await client.call('getVirtualChainFromBlock', chain)
    return [hash, addedChainBlockHashes[0] ?? ''] as const
  }

  describe('an edge-case query', () => {
    it('matches mempool addresses by script: one entry per script, with the prefix of the network', async () => {
      const account = node.newAccount()
      const foreign = (['kaspa', 'kaspatest', 'kaspadev'] as const).map(
        (prefix) => accountOf(account.privateKey, prefix).address,
      )
      const { entries } = await client.call('getMempoolEntriesByAddresses', {
        addresses: [...foreign, account.address],
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      expect(entries).toEqual([{ address: account.address, sending: [], receiving: [] }])
    })

    it('rejects the reward of genesis, which has none', async (context) => {
      const [hash, first] = await genesis(context)
      expect(await client.rejection('getBlockRewardInfo', { hash })).toBe(
        `missing reward output 0 in merging chain block ${first}`,
      )
    })

    it('rejects a hash rate estimate up to genesis', async (context) => {
      const [startHash] = await genesis(context)
      expect(await client.rejection('estimateNetworkHashesPerSecond', { windowSize: 1_000, startHash })).toBe(
        'difficulty error: window data has only 0 entries -- this usually happens when the node has just began syncing',
      )
    })

    it('limits timestamp estimates to 64 bits', async () => {
      expect(await client.call('getDaaScoreTimestampEstimate', { daaScores: [MAX_U64] })).toEqual({
        timestamps: [MAX_U64],
      })
    })
  })

  describe('a block disqualified from the chain', () => {
    const INVALID_FIELDS: readonly [string, (header: RpcRawBlock['header']) => Partial<RpcRawBlock['header']>][] = [
      ['UTXO commitment', () => ({ utxoCommitment: 'ab'.repeat(32) })],
      ['accepted transactions', () => ({ acceptedIdMerkleRoot: 'ab'.repeat(32) })],
      ['pruning point', () => ({ pruningPoint: 'ab'.repeat(32) })],
    ]

    it.each(INVALID_FIELDS)('by its %s stays a tip, and is not counted until it is merged', async (_, invalidate) => {
      const [plain, other] = [await node.template('aa'), await node.template('bb')]
      const good = withHash('low', plain)
      const bad = withHash('high', { ...other, header: { ...other.header, ...invalidate(other.header) } })
      const before = await client.call('getBlockCount', {})
      const [sink, disqualified] = [await node.submit(good), await node.submit(bad)]
      const { block } = await client.call('getBlock', { hash: disqualified, includeTransactions: false })
      expect(block.verboseData?.isChainBlock).toBe(false)
      const dag = await client.call('getBlockDagInfo', {})
      expect(dag).toMatchObject({ sink, virtualParentHashes: [sink], blockCount: before.blockCount + 1n })
      expect([...dag.tipHashes].sort()).toEqual([sink, disqualified].sort())
      expect(await client.call('getBlockCount', {})).toEqual({
        blockCount: dag.virtualDaaScore,
        headerCount: dag.virtualDaaScore,
      })
      await node.mine(2) // the second block merges it
      expect(await client.call('getCurrentBlockColor', { hash: disqualified })).toEqual({ blue: true })
    })
  })

  describe('a block whose body does not match its header', () => {
    it('is rejected, and stored as a header only', async () => {
      const block = await node.template()
      const header = { ...block.header, hashMerkleRoot: 'ab'.repeat(32) }
      const parent = header.parentsByLevel[0]![0]!
      const hash = blockHash(header)
      for (let tried = 0; tried < 2; tried++) {
        expect(
          await client.call('submitBlock', { block: { ...block, header }, allowNonDaaBlocks: false }),
        ).toMatchObject({ report: { type: 'reject' } })
      }
      const stored = await client.call('getBlock', { hash, includeTransactions: true })
      expect(stored.block).toMatchObject({
        transactions: [],
        verboseData: { isHeaderOnly: true, isChainBlock: false, transactionIds: [], selectedParentHash: parent },
      })
      expect(await client.call('getBlockRewardInfo', { hash })).toMatchObject({ blockColor: 'unknown' })
      const { tipHashes } = await client.call('getBlockDagInfo', {})
      expect(tipHashes).not.toContain(hash)
      const next = await node.mine()
      const chain = await client.call('getVirtualChainFromBlock', {
        startHash: hash,
        includeAcceptedTransactionIds: false,
      })
      expect(chain).toMatchObject({ removedChainBlockHashes: [hash], addedChainBlockHashes: [next] })
    })
  })

  describe('a template', () => {
    it('orders transactions by fee, then by descending id', async () => {
      const payment = async (fee: bigint) => {
        const { utxo, account } = await node.utxo()
        return createPayment({
          from: account,
          utxos: [utxo],
          to: [{ address: node.newAccount().address, amount: KAS }],
          fee,
        })
      }
      const alike = [await payment(700_000n), await payment(700_000n), await payment(700_000n)]
      const [least, best] = [await payment(600_000n), await payment(800_000n)]
      for (const { transaction } of [...alike, least, best])
        await client.call('submitTransaction', { transaction, allowOrphan: false })
      await node.submit(await node.template()) // the next template is not cached
      const { transactions } = await node.template()
      const ids = alike.map((one) => one.transactionId).sort()
      const wanted = [best.transactionId, ...ids.reverse(), least.transactionId]
      const included = transactions.map(transactionId).filter((id) => wanted.includes(id))
      expect(included).toEqual(wanted.filter((id) => included.includes(id)))
      await node.mine(2)
    })
  })
}

/** The block with a nonce that puts its hash into the lower or higher half; the higher hash breaks ties. */
function withHash(half: 'low' | 'high', block: RpcRawBlock): RpcRawBlock {
  const { header } = block
  if (blockHash(header) < '8' === (half === 'low')) return block
  return withHash(half, { ...block, header: { ...header, nonce: header.nonce + 1n } })
}
