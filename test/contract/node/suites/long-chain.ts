import { beforeAll, describe, expect, it } from 'vitest'
import { indexedUtxos } from '../support/indexed-utxos.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment } from '../support/payment.js'

/** Rules that take effect after a thousand blocks. */
export function longChain(node: NodeUnderTest): void {
  const { client, network } = node
  const score = async () => (await client.call('getServerInfo', {})).virtualDaaScore
  const PAGED = 2_600

  describe('after more than a thousand blocks', () => {
    /** Before the first block of the suite: the blocks of all tests are the chain that is read in pages. */
    let start: { readonly sink: string; readonly score: bigint }
    beforeAll(async () => {
      await node.mine(2) // merges the blocks off the chain
      start = { sink: (await client.call('getSink', {})).sink, score: await score() }
    })

    it('a coinbase output can be spent from its DAA score plus 1,000 on', async () => {
      const miner = node.newAccount()
      await node.mine(1, miner.address)
      await node.mine()
      const [utxo] = await indexedUtxos(client, [miner.address])
      const mature = utxo!.blockDaaScore + network.coinbaseMaturity
      const spend = createPayment({
        from: miner,
        utxos: [utxo!],
        to: [{ address: node.newAccount().address, amount: 100_000_000n }],
      })
      const submit = { transaction: spend.transaction, allowOrphan: false }

      await node.mine(Number(mature - (await score())) - 1)
      expect(await client.rejection('submitTransaction', submit)).toBe(
        `Rejected transaction ${spend.transactionId}: one of the transaction inputs spends an immature UTXO: ` +
          `transaction input #0 tried to spend coinbase outpoint (${utxo!.outpoint.transactionId}, 0) with daa score of ${utxo!.blockDaaScore}\n` +
          `    while the merging block daa score is ${mature - 1n} and the coinbase maturity period of 1000 hasn't passed yet`,
      )
      await node.mine()
      expect(await client.call('submitTransaction', submit)).toEqual({ transactionId: spend.transactionId })
      await node.include(spend.transactionId)
    })

    it('a resubmitted transaction is already accepted for 1,200 of DAA score, then an orphan', async () => {
      const { transactionId, transaction } = await node.pay(node.newAccount().address, 100_000_000n)
      const again = async () =>
        (await client.rejection('submitTransaction', { transaction, allowOrphan: false })).replaceAll(transactionId, '')
      await node.include(transactionId)
      await node.mine(1_190)
      expect(await again()).toBe('Rejected transaction : transaction  was already accepted by the consensus')
      await node.mine(30)
      // A node expires accepted transactions every ten seconds and hundred blocks.
      const later = async () => (await node.mine(20)) && (await again())
      await expect
        .poll(later, { interval: 1_000 })
        .toBe('Rejected transaction : transaction  is an orphan where orphan is disallowed')
    })

    it('a header has parents on several levels with descending DAA scores', async () => {
      const { sink } = await client.call('getSink', {})
      const { block } = await client.call('getBlock', { hash: sink, includeTransactions: false })
      const levels = block.header.parentsByLevel.map((parents) => parents[0] ?? '')
      const scores: bigint[] = []
      for (const hash of levels)
        scores.push((await client.call('getBlock', { hash, includeTransactions: false })).block.header.daaScore)
      expect(new Set(levels).size).toBeGreaterThan(1)
      expect(scores).toEqual([...scores].sort((left, right) => Number(right - left)))
    })

    it('the chain is returned in pages of at most 2,480 blocks, up to the sink', async () => {
      const genesis = await client.call('getVirtualChainFromBlock', {
        startHash: await node.mine(),
        includeAcceptedTransactionIds: false,
      })
      expect(genesis.addedChainBlockHashes).toEqual([])
      const mined = async () => Number((await score()) - start.score)
      const last = await node.mine(Math.max(1, PAGED - (await mined())))
      const blocksOfSuite = await mined()
      for (const includeAcceptedTransactionIds of [false, true]) {
        const first = await client.call('getVirtualChainFromBlock', {
          startHash: start.sink,
          includeAcceptedTransactionIds,
        })
        const added = first.addedChainBlockHashes
        expect(added.length).toBeGreaterThan(2_470)
        expect(added.length).toBeLessThanOrEqual(2_480)
        expect(first.acceptedTransactionIds.length).toBe(includeAcceptedTransactionIds ? added.length : 0)
        const remaining = await client.call('getVirtualChainFromBlock', {
          startHash: added.at(-1)!,
          includeAcceptedTransactionIds,
        })
        expect(remaining.addedChainBlockHashes.length).toBe(blocksOfSuite - added.length)
        expect(remaining.addedChainBlockHashes.at(-1)).toBe(last)
      }
      const v2 = await client.call('getVirtualChainFromBlockV2', { startHash: start.sink, dataVerbosityLevel: 'None' })
      expect(v2.addedChainBlockHashes.length).toBe(v2.chainBlockAcceptedTransactions.length)
      expect(v2.addedChainBlockHashes.length).toBeLessThanOrEqual(2_480)
      const blocks = await client.call('getBlocks', {
        lowHash: start.sink,
        includeBlocks: false,
        includeTransactions: false,
      })
      expect(blocks.blockHashes[0]).toBe(start.sink)
      expect(blocks.blockHashes.length).toBe(251)
    })
  })
}
