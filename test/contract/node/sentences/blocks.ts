import { describe, expect, it } from 'vitest'
import { blockHash, hashMerkleRoot } from '../../../../src/model/block.js'
import { transactionHash, transactionId } from '../../../../src/model/transaction-id.js'
import type { RpcRawBlock } from '../../../../src/node/messages/records.js'
import type { NodeUnderTest } from '../support/node-under-test.js'

/** Blocks: what they are made of, how they are mined, and what becomes of those that come side by side. */
export function blocks(node: NodeUnderTest): void {
  const { client } = node
  const getBlock = async (hash: string, includeTransactions = false) =>
    (await client.call('getBlock', { hash, includeTransactions })).block

  describe('a block', () => {
    it('has the hash of its header, the root of its transactions, and their ids', async () => {
      const { transactionId: payment } = await node.pay(node.stranger().address, 100_000_000n)
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

    it('told without its transactions still tells their ids', async () => {
      const { transactions, verboseData } = await getBlock(await node.mine())
      expect(transactions).toEqual([])
      expect(verboseData?.transactionIds).toHaveLength(1)
    })

    it('knows its place: parent, children, blues, and that it is of the chain', async () => {
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

    it('pays the miner of its parent, in a coin that appears with it', async () => {
      const miner = node.stranger()
      await node.mine(1, miner.address)
      expect(await client.call('getBalanceByAddress', { address: miner.address })).toEqual({ balance: 0n })
      const next = await getBlock(await node.mine())
      const { entries } = await client.call('getUtxosByAddresses', { addresses: [miner.address] })
      expect(entries).toEqual([
        expect.objectContaining({
          amount: 5_000_000_000n,
          isCoinbase: true,
          blockDaaScore: next.header.daaScore + 1n,
          outpoint: { transactionId: next.verboseData?.transactionIds[0], index: 0 },
        }),
      ])
    })

    it('is told with colour, reward and confirmations once it is merged', async () => {
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

    it('may be submitted twice', async () => {
      const block = await node.template()
      expect(await node.submit(block)).toBe(await node.submit(block))
    })

    it.each<[string, (block: RpcRawBlock) => RpcRawBlock]>([
      [
        'with a wrong merkle root',
        ({ header, ...rest }) => ({ ...rest, header: { ...header, hashMerkleRoot: 'ab'.repeat(32) } }),
      ],
      [
        'with an unknown parent',
        ({ header, ...rest }) => ({ ...rest, header: { ...header, parentsByLevel: [['ab'.repeat(32)]] } }),
      ],
      [
        'with a parent too many on a higher level',
        ({ header, ...rest }) => ({
          ...rest,
          header: { ...header, parentsByLevel: [...header.parentsByLevel, [header.parentsByLevel[0]![0]!]] },
        }),
      ],
      [
        'that claims another subsidy',
        (block) => {
          const [coinbase, ...others] = block.transactions
          const { payload } = coinbase!
          const transactions = [{ ...coinbase!, payload: `${payload.slice(0, 16)}ff${payload.slice(18)}` }, ...others]
          return { header: { ...block.header, hashMerkleRoot: hashMerkleRoot(transactions) }, transactions }
        },
      ],
      ['without transactions', (block) => ({ ...block, transactions: [] })],
      ['of another version', ({ header, ...rest }) => ({ ...rest, header: { ...header, version: 9 } })],
      [
        'from the future',
        ({ header, ...rest }) => ({ ...rest, header: { ...header, timestamp: header.timestamp + 10_000_000n } }),
      ],
    ])('%s is refused by a report, not by an error', async (_, spoil) => {
      const block = spoil(await node.template())
      expect(await client.call('submitBlock', { block, allowNonDaaBlocks: false })).toEqual({
        report: { type: 'reject', reason: 'blockInvalid' },
      })
    })
  })

  describe('two blocks side by side', () => {
    const mineTwo = async () => {
      const [left, right] = [await node.template('aa'), await node.template('bb')]
      return [await node.submit(left), await node.submit(right)] as const
    }

    it('are both tips, and are merged by the next one, blue, whichever is of the chain', async () => {
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

    it('change the score of what virtual alone has accepted: the coin is removed and added', async () => {
      const receiver = node.stranger()
      const listener = await node.connect()
      await listener.subscribe({ type: 'utxos-changed', addresses: [receiver.address] })
      await node.mine() // from here on the next template is a fresh one
      const { transactionId: payment } = await node.pay(receiver.address, 200_000_000n)
      const [left, right] = [await node.template('aa'), await node.template('bb')]
      expect(left.transactions.map(transactionId)).toContain(payment)
      await node.submit(left)
      await node.submit(right)
      const { data } = await listener.hear('utxos-changed', (one) => one.data.removed.length > 0)
      const [before, after] = [data.removed[0]!, data.added[0]!]
      expect(before.outpoint).toEqual({ transactionId: payment, index: 0 })
      expect(after).toEqual({ ...before, blockDaaScore: before.blockDaaScore + 1n })
      listener.close()
    })

    it('move the virtual and not the chain: virtual-chain-changed comes with empty lists', async () => {
      const listener = await node.connect()
      await listener.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })
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
      const { data } = await listener.hear('virtual-chain-changed', (one) => isEmpty(one.data) || isReplacing(one.data))
      // the later block becomes the sink only where its hash is the higher one
      if (isReplacing(data)) expect(data.removedChainBlockHashes).toEqual([left])
      else expect(data.acceptedTransactionIds).toEqual([])
      listener.close()
    })
  })

  describe('pages', () => {
    it('of blocks begin with the one asked for, and end with the sink', async () => {
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

    it('of blocks from a tip hold what stands beside it: nobody who asks on from what was heard last misses it', async () => {
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

    it('of the chain with what it accepted leave out what too few blocks confirm, one and the same for both methods', async () => {
      const startHash = await node.mine()
      const added = [await node.mine(), await node.mine(), await node.mine(), await node.mine(), await node.mine()]
      const ask = (minConfirmationCount: bigint) =>
        Promise.all([
          client.call('getVirtualChainFromBlock', {
            startHash,
            includeAcceptedTransactionIds: true,
            minConfirmationCount,
          }),
          client.call('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel: 'Low', minConfirmationCount }),
        ])
      const [ids, whole] = await ask(2n)
      expect(ids.addedChainBlockHashes).toEqual(added.slice(0, 2))
      expect(whole.addedChainBlockHashes).toEqual(added.slice(0, 2))
      expect(whole.chainBlockAcceptedTransactions).toHaveLength(2)
      expect((await ask(4n)).map((one) => one.addedChainBlockHashes)).toEqual([[], []])
    })

    it('of the chain may begin at a parent of any level of the sink, or at its pruning point, far back', async () => {
      const { block } = await client.call('getBlock', { hash: await node.mine(), includeTransactions: false })
      const { parentsByLevel, pruningPoint } = block.header
      expect(parentsByLevel[0]).toEqual([block.verboseData?.selectedParentHash])
      const highest = parentsByLevel[Math.min(10, parentsByLevel.length - 1)]?.[0] ?? ''
      for (const startHash of [highest, pruningPoint]) {
        const page = await client.call('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: false })
        const start = await client.call('getBlock', { hash: startHash, includeTransactions: false })
        // A block that was merged from beside the chain may be a parent on a higher level: then it leads back onto the chain.
        const leaves = start.block.verboseData?.isChainBlock === true ? [] : [startHash]
        expect(page.removedChainBlockHashes.slice(0, 1)).toEqual(leaves)
        expect(page.addedChainBlockHashes.length).toBeGreaterThan(0)
      }
    })

    it('of the chain from a block that nobody knows are refused, by both methods and for blocks', async () => {
      const startHash = 'ab'.repeat(32)
      const words = `cannot find header ${startHash}`
      expect(
        await client.refusal('getVirtualChainFromBlock', { startHash, includeAcceptedTransactionIds: true }),
      ).toContain(words)
      expect(await client.refusal('getVirtualChainFromBlockV2', { startHash, dataVerbosityLevel: 'Low' })).toContain(
        words,
      )
      expect(
        await client.refusal('getBlocks', { lowHash: startHash, includeBlocks: true, includeTransactions: false }),
      ).toContain(words)
    })

    it('of the chain go on from the block asked for, which is not in them', async () => {
      const start = await node.mine()
      const [second, third] = [await node.mine(), await node.mine()]
      const ask = (startHash: string, minConfirmationCount?: bigint) =>
        client.call('getVirtualChainFromBlock', {
          startHash,
          includeAcceptedTransactionIds: false,
          minConfirmationCount,
        })
      expect(await ask(start)).toEqual({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [second, third],
        acceptedTransactionIds: [],
      })
      expect(await ask(third)).toEqual({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [],
        acceptedTransactionIds: [],
      })
      expect((await ask(start, 0n)).addedChainBlockHashes).toEqual([second, third])
      expect((await ask(start, 1n)).addedChainBlockHashes).toEqual([])
    })

    it('of the chain from a block off it: what is of the chain instead', async () => {
      const [left, right] = [await node.template('aa'), await node.template('bb')]
      const sides = [await node.submit(left), await node.submit(right)]
      const merger = await node.mine()
      const { verboseData } = await getBlock(merger)
      const chosen = verboseData?.selectedParentHash ?? ''
      const other = sides.find((hash) => hash !== chosen) ?? ''
      const answer = await client.call('getVirtualChainFromBlock', {
        startHash: other,
        includeAcceptedTransactionIds: false,
      })
      expect(answer.removedChainBlockHashes).toEqual([other])
      expect(answer.addedChainBlockHashes).toEqual([chosen, merger])
    })
  })
}
