import { describe, expect, it } from 'vitest'
import { blockHash, hashMerkleRoot } from '../../../../src/model/block.js'
import { transactionHash, transactionId } from '../../../../src/model/transaction-id.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import { indexedUtxos } from '../support/indexed-utxos.js'
import type { NodeUnderTest } from '../support/node-under-test.js'

/** Blocks: contents, mining, parallel blocks and paging. */
export function blocks(node: NodeUnderTest): void {
  const { client } = node
  const getBlock = async (hash: string, includeTransactions = false) =>
    (await client.call('getBlock', { hash, includeTransactions })).block

  describe('a block', () => {
    it('has the hash of its header, the merkle root and the ids of its transactions', async () => {
      const { transactionId: payment } = await node.pay(node.newAccount().address, 100_000_000n)
      const hash = await node.include(payment)
      const { header, transactions, verboseData } = await getBlock(hash, true)
      expect(blockHash(header)).toBe(hash)
      expect(hashMerkleRoot(transactions)).toBe(header.hashMerkleRoot)
      expect(transactions.map(transactionId)).toEqual(verboseData?.transactionIds)
      expect(transactions.map((one) => one.verboseData?.hash)).toEqual(transactions.map(transactionHash))
      expect(transactions.map((one) => one.verboseData?.blockHash)).toEqual(transactions.map(() => hash))
      expect(transactions[0]).toMatchObject({ version: 1, inputs: [], subnetworkId: `01${'00'.repeat(19)}` })
      expect(header.version).toBe(2)
    })

    it('has transaction ids also without transactions', async () => {
      const { transactions, verboseData } = await getBlock(await node.mine())
      expect(transactions).toEqual([])
      expect(verboseData?.transactionIds).toHaveLength(1)
    })

    it('has its parent, children, blue merge set and chain membership', async () => {
      const [parent, hash, child] = [await node.mine(), await node.mine(), await node.mine()]
      expect((await getBlock(hash)).verboseData).toMatchObject({
        hash,
        selectedParentHash: parent,
        childrenHashes: [child],
        mergeSetBluesHashes: [parent],
        mergeSetRedsHashes: [],
        isChainBlock: true,
        isHeaderOnly: false,
      })
    })

    it('pays the miner of its parent with a UTXO added by the block', async () => {
      const miner = node.newAccount()
      await node.mine(1, miner.address)
      expect(await client.call('getBalanceByAddress', { address: miner.address })).toEqual({ balance: 0n })
      const next = await getBlock(await node.mine())
      expect(await indexedUtxos(client, [miner.address])).toEqual([
        expect.objectContaining({
          amount: 5_000_000_000n,
          isCoinbase: true,
          blockDaaScore: next.header.daaScore + 1n,
          outpoint: { transactionId: next.verboseData?.transactionIds[0], index: 0 },
        }),
      ])
    })

    it('has colour, reward and confirmations once it is merged', async () => {
      const hash = await node.mine()
      expect(await client.call('getBlockRewardInfo', { hash })).toMatchObject({
        header: { hash },
        blockColor: 'unknown',
      })
      const merging = await node.mine()
      await node.mine(2)
      expect(await client.call('getCurrentBlockColor', { hash })).toEqual({ blue: true })
      expect(await client.call('getBlockRewardInfo', { hash })).toMatchObject({
        blockColor: 'blue',
        mergingChainBlockHash: merging,
        confirmationCount: 2n,
        rewardAmount: 5_000_000_000n,
      })
    })

    it('can be submitted twice', async () => {
      const block = await node.template()
      expect(await node.submit(block)).toBe(await node.submit(block))
    })

    it.each<[string, (block: RpcRawBlock) => RpcRawBlock]>([
      [
        'with a wrong merkle root',
        ({ header, ...others }) => ({ ...others, header: { ...header, hashMerkleRoot: 'ab'.repeat(32) } }),
      ],
      [
        'with an unknown parent',
        ({ header, ...others }) => ({ ...others, header: { ...header, parentsByLevel: [['ab'.repeat(32)]] } }),
      ],
      [
        'with an extra parent on a higher level',
        ({ header, ...others }) => ({
          ...others,
          header: { ...header, parentsByLevel: [...header.parentsByLevel, [header.parentsByLevel[0]![0]!]] },
        }),
      ],
      [
        'with a wrong subsidy',
        (block) => {
          const [coinbase, ...others] = block.transactions
          const { payload } = coinbase!
          const transactions = [{ ...coinbase!, payload: `${payload.slice(0, 16)}ff${payload.slice(18)}` }, ...others]
          return { header: { ...block.header, hashMerkleRoot: hashMerkleRoot(transactions) }, transactions }
        },
      ],
      ['without transactions', (block) => ({ ...block, transactions: [] })],
      ['of an unknown version', ({ header, ...others }) => ({ ...others, header: { ...header, version: 9 } })],
      [
        'from the future',
        ({ header, ...others }) => ({ ...others, header: { ...header, timestamp: header.timestamp + 10_000_000n } }),
      ],
    ])('%s is rejected by a report, not by an error', async (_, invalidate) => {
      const block = invalidate(await node.template())
      expect(await client.call('submitBlock', { block, allowNonDaaBlocks: false })).toEqual({
        report: { type: 'reject', reason: 'blockInvalid' },
      })
    })
  })

  describe('two parallel blocks', () => {
    const mineTwo = async () => {
      const [left, right] = [await node.template('aa'), await node.template('bb')]
      return [await node.submit(left), await node.submit(right)] as const
    }

    it('are both tips, and the next block merges both as blue', async () => {
      const [left, right] = await mineTwo()
      const { tipHashes } = await client.call('getBlockDagInfo', {})
      expect([...tipHashes].sort()).toEqual([left, right].sort())
      const merger = await getBlock(await node.mine())
      expect([...(merger.verboseData?.mergeSetBluesHashes ?? [])].sort()).toEqual([left, right].sort())
      const [a, b] = [await getBlock(left), await getBlock(right)]
      expect([a.verboseData?.isChainBlock, b.verboseData?.isChainBlock].filter(Boolean)).toHaveLength(1)
      expect(await client.call('getCurrentBlockColor', { hash: left })).toEqual({ blue: true })
      expect(await client.call('getCurrentBlockColor', { hash: right })).toEqual({ blue: true })
      expect(merger.header.daaScore).toBe(a.header.daaScore + 2n)
    })

    it('change the DAA score of outputs accepted by the virtual block only: the UTXO is removed and added', async () => {
      const receiver = node.newAccount()
      const subscriber = await node.connect()
      await subscriber.subscribe({ type: 'utxos-changed', addresses: [receiver.address] })
      await node.mine() // the next template is not cached
      const { transactionId: payment } = await node.pay(receiver.address, 200_000_000n)
      const [left, right] = [await node.template('aa'), await node.template('bb')]
      expect(left.transactions.map(transactionId)).toContain(payment)
      await node.submit(left)
      await node.submit(right)
      const { data } = await subscriber.waitFor('utxos-changed', (one) => one.data.removed.length > 0)
      const [before, after] = [data.removed[0]!, data.added[0]!]
      expect(before.outpoint).toEqual({ transactionId: payment, index: 0 })
      expect(after).toEqual({ ...before, blockDaaScore: before.blockDaaScore + 1n })
      subscriber.close()
    })

    it('change the virtual block but not the chain: virtual-chain-changed has empty lists', async () => {
      const subscriber = await node.connect()
      await subscriber.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })
      const [left, right] = await mineTwo()
      const isEmpty = ({
        addedChainBlockHashes,
        removedChainBlockHashes,
      }: {
        addedChainBlockHashes: readonly string[]
        removedChainBlockHashes: readonly string[]
      }) => addedChainBlockHashes.length + removedChainBlockHashes.length === 0
      const isReplacing = ({ addedChainBlockHashes }: { addedChainBlockHashes: readonly string[] }) =>
        addedChainBlockHashes.includes(right)
      const { data } = await subscriber.waitFor(
        'virtual-chain-changed',
        (one) => isEmpty(one.data) || isReplacing(one.data),
      )
      // the later block becomes the sink only where its hash is higher
      if (isReplacing(data)) expect(data.removedChainBlockHashes).toEqual([left])
      else expect(data.acceptedTransactionIds).toEqual([])
      subscriber.close()
    })
  })

  describe('pages', () => {
    it('of blocks start with the requested block and end with the sink', async () => {
      const low = await node.mine()
      const [second, third] = [await node.mine(), await node.mine()]
      const plain = await client.call('getBlocks', { lowHash: low, includeBlocks: false, includeTransactions: false })
      expect(plain).toEqual({ blockHashes: [low, second, third], blocks: [] })
      const full = await client.call('getBlocks', { lowHash: low, includeBlocks: true, includeTransactions: true })
      expect(full.blocks.map(({ header, transactions }) => [header.hash, transactions.length])).toEqual([
        [low, 1],
        [second, 1],
        [third, 1],
      ])
      expect(
        await client.call('getBlocks', { lowHash: third, includeBlocks: false, includeTransactions: false }),
      ).toEqual({
        blockHashes: [third],
        blocks: [],
      })
    })

    it('of blocks from a tip contain its parallel blocks, so that paging from the last received block is complete', async () => {
      const [left, right] = [await node.template('aa'), await node.template('bb')]
      const sides = [await node.submit(left), await node.submit(right)] as const
      const merger = await node.mine()
      for (const lowHash of sides) {
        const { blockHashes } = await client.call('getBlocks', {
          lowHash,
          includeBlocks: false,
          includeTransactions: false,
        })
        expect([...blockHashes].sort()).toEqual([...sides, merger].sort())
      }
    })

    it('of the chain with accepted transactions omit blocks below minConfirmationCount in both methods', async () => {
      const startHash = await node.mine()
      const added = [await node.mine(), await node.mine(), await node.mine(), await node.mine(), await node.mine()]
      const fetchChain = (minConfirmationCount: bigint) =>
        Promise.all([
          client.call('getVirtualChainFromBlock', {
            startHash,
            includeAcceptedTransactionIds: true,
            minConfirmationCount,
          }),
          client.call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel: 'Low', minConfirmationCount }),
        ])
      const [ids, whole] = await fetchChain(2n)
      expect(ids.addedChainBlockHashes).toEqual(added.slice(0, 2))
      expect(whole.addedChainBlockHashes).toEqual(added.slice(0, 2))
      expect(whole.chainBlockAcceptedTransactions).toHaveLength(2)
      expect((await fetchChain(4n)).map((one) => one.addedChainBlockHashes)).toEqual([[], []])
    })

    it('of the chain can start at a parent of the sink on any level, or at its pruning point', async () => {
      const { block } = await client.call('getBlock', { hash: await node.mine(), includeTransactions: false })
      const { parentsByLevel, pruningPoint } = block.header
      expect(parentsByLevel[0]).toEqual([block.verboseData?.selectedParentHash])
      const highest = parentsByLevel[Math.min(10, parentsByLevel.length - 1)]?.[0] ?? ''
      for (const startHash of [highest, pruningPoint]) {
        const page = await client.call('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: false })
        const start = await client.call('getBlock', { hash: startHash, includeTransactions: false })
        // A parent on a higher level may be a merged off-chain block, which is then removed first.
        const leaves = start.block.verboseData?.isChainBlock === true ? [] : [startHash]
        expect(page.removedChainBlockHashes.slice(0, 1)).toEqual(leaves)
        expect(page.addedChainBlockHashes.length).toBeGreaterThan(0)
      }
    })

    it('of blocks and of the chain from an unknown block are rejected by every method', async () => {
      const startHash = 'ab'.repeat(32)
      const words = `cannot find header ${startHash}`
      expect(
        await client.rejection('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: true }),
      ).toContain(words)
      expect(await client.rejection('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel: 'Low' })).toContain(
        words,
      )
      expect(
        await client.rejection('getBlocks', { lowHash: startHash, includeBlocks: true, includeTransactions: false }),
      ).toContain(words)
    })

    it('of the chain start after the requested block', async () => {
      const start = await node.mine()
      const [second, third] = [await node.mine(), await node.mine()]
      const fetchChain = (startHash: string, minConfirmationCount?: bigint) =>
        client.call('getVirtualChainFromBlock', {
          startHash,
          includeAcceptedTransactionIds: false,
          minConfirmationCount,
        })
      expect(await fetchChain(start)).toEqual({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [second, third],
        acceptedTransactionIds: [],
      })
      expect(await fetchChain(third)).toEqual({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [],
        acceptedTransactionIds: [],
      })
      expect((await fetchChain(start, 0n)).addedChainBlockHashes).toEqual([second, third])
      expect((await fetchChain(start, 1n)).addedChainBlockHashes).toEqual([])
    })

    it('of the chain from an off-chain block remove it and add the chain blocks instead', async () => {
      const [left, right] = [await node.template('aa'), await node.template('bb')]
      const sides = [await node.submit(left), await node.submit(right)]
      const merger = await node.mine()
      const { verboseData } = await getBlock(merger)
      const chosen = verboseData?.selectedParentHash ?? ''
      const other = sides.find((hash) => hash !== chosen) ?? ''
      const result = await client.call('getVirtualChainFromBlock', {
        startHash: other,
        includeAcceptedTransactionIds: false,
      })
      expect(result.removedChainBlockHashes).toEqual([other])
      expect(result.addedChainBlockHashes).toEqual([chosen, merger])
    })
  })
}
