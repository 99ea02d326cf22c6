import { describe, expect, it, type TestContext } from 'vitest'
import { blockHash } from '../../../../src/model/block.js'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment, personOf } from '../support/payment.js'

const KAS = 100_000_000n
const MAX_U64 = 2n ** 64n - 1n

/** What a node answers at the edges of what can be asked. */
export function oddQuestions(node: NodeUnderTest): void {
  const { client } = node
  /** The first block, and the chain block that merges it. Of genesis a node knows only as long as it is its pruning point. */
  const genesis = async ({ skip }: TestContext) => {
    const { pruningPointHash: hash } = await client.call('getBlockDagInfo', {})
    const { block } = await client.call('getBlock', { hash, includeTransactions: false })
    skip(block.header.parentsByLevel.length > 0, 'The node has pruned its genesis away')
    const chain = { startHash: hash, includeAcceptedTransactionIds: false }
    const { addedChainBlockHashes } = await client.call('getVirtualChainFromBlock', chain)
    return [hash, addedChainBlockHashes[0] ?? ''] as const
  }

  describe('asked oddly, a node', () => {
    it('takes the addresses of a mempool query for their scripts: once each, in its own prefix', async () => {
      const person = node.stranger()
      const foreign = (['kaspa', 'kaspatest', 'kaspadev'] as const).map(
        (prefix) => personOf(person.privateKey, prefix).address,
      )
      const { entries } = await client.call('getMempoolEntriesByAddresses', {
        addresses: [...foreign, person.address],
        includeOrphanPool: false,
        filterTransactionPool: false,
      })
      expect(entries).toEqual([{ address: person.address, sending: [], receiving: [] }])
    })

    it('has no reward to tell of genesis, which earned nothing', async (context) => {
      const [hash, first] = await genesis(context)
      expect(await client.refusal('getBlockRewardInfo', { hash })).toBe(
        `missing reward output 0 in merging chain block ${first}`,
      )
    })

    it('has no hash rate to tell up to genesis', async (context) => {
      const [startHash] = await genesis(context)
      expect(await client.refusal('estimateNetworkHashesPerSecond', { windowSize: 1_000, startHash })).toBe(
        'difficulty error: window data has only 0 entries -- this usually happens when the node has just began syncing',
      )
    })

    it('knows no time beyond 64 bits', async () => {
      expect(await client.call('getDaaScoreTimestampEstimate', { daaScores: [MAX_U64] })).toEqual({
        timestamps: [MAX_U64],
      })
    })
  })

  describe('a block that nobody may build the chain on', () => {
    const spoilt: readonly [string, (header: RpcRawBlock['header']) => Partial<RpcRawBlock['header']>][] = [
      ['coins', () => ({ utxoCommitment: 'ab'.repeat(32) })],
      ['accepted transactions', () => ({ acceptedIdMerkleRoot: 'ab'.repeat(32) })],
      ['pruning point', () => ({ pruningPoint: 'ab'.repeat(32) })],
    ]

    it.each(spoilt)(
      'for what it says of its %s: is kept as a tip, and not counted while nobody merges it',
      async (_, spoil) => {
        const [plain, other] = [await node.template('aa'), await node.template('bb')]
        const good = withHash('low', plain)
        const bad = withHash('high', { ...other, header: { ...other.header, ...spoil(other.header) } })
        const before = await client.call('getBlockCount', {})
        const [sink, kept] = [await node.submit(good), await node.submit(bad)]
        const { block } = await client.call('getBlock', { hash: kept, includeTransactions: false })
        expect(block.verboseData?.isChainBlock).toBe(false)
        const dag = await client.call('getBlockDagInfo', {})
        expect(dag).toMatchObject({ sink, virtualParentHashes: [sink], blockCount: before.blockCount + 1n })
        expect([...dag.tipHashes].sort()).toEqual([sink, kept].sort())
        expect(await client.call('getBlockCount', {})).toEqual({
          blockCount: dag.virtualDaaScore,
          headerCount: dag.virtualDaaScore,
        })
        await node.mine(2) // the next block but one merges it
        expect(await client.call('getCurrentBlockColor', { hash: kept })).toEqual({ blue: true })
      },
    )
  })

  describe('a block with another body than its header says', () => {
    it('is refused, and remembered by its header alone', async () => {
      const block = await node.template()
      const header = { ...block.header, hashMerkleRoot: 'ab'.repeat(32) }
      const parent = header.parentsByLevel[0]![0]!
      const hash = blockHash(header)
      for (let tried = 0; tried < 2; tried++) {
        expect(
          await client.call('submitBlock', { block: { ...block, header }, allowNonDaaBlocks: false }),
        ).toMatchObject({ report: { type: 'reject' } })
      }
      const told = await client.call('getBlock', { hash, includeTransactions: true })
      expect(told.block).toMatchObject({
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
    it('holds the better paying first; of two that pay alike, the one with the greater id', async () => {
      const payment = async (fee: bigint) => {
        const { coin, owner } = await node.coin()
        return createPayment({
          from: owner,
          coins: [coin],
          to: [{ address: node.stranger().address, amount: KAS }],
          fee,
        })
      }
      const alike = [await payment(700_000n), await payment(700_000n), await payment(700_000n)]
      const [least, best] = [await payment(600_000n), await payment(800_000n)]
      for (const { transaction } of [...alike, least, best])
        await client.call('submitTransaction', { transaction, allowOrphan: false })
      await node.submit(await node.template()) // the next one is a fresh one
      const { transactions } = await node.template()
      const ids = alike.map((one) => one.transactionId).sort()
      const wanted = [best.transactionId, ...ids.reverse(), least.transactionId]
      const included = transactions.map(transactionId).filter((id) => wanted.includes(id))
      expect(included).toEqual(wanted.filter((id) => included.includes(id)))
      await node.mine(2)
    })
  })
}

/** The block with such a nonce that its hash is of the lower or of the higher half: where all else is equal, the higher comes after. */
function withHash(half: 'low' | 'high', block: RpcRawBlock): RpcRawBlock {
  const { header } = block
  if (blockHash(header) < '8' === (half === 'low')) return block
  return withHash(half, { ...block, header: { ...header, nonce: header.nonce + 1n } })
}
