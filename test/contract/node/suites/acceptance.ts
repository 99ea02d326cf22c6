import { describe, expect, it } from 'vitest'
import { indexedUtxos } from '../support/indexed-utxos.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment } from '../support/payment.js'

/** From the mempool to acceptance: balances, notifications and the virtual chain. */
export function acceptance(node: NodeUnderTest): void {
  const { client } = node
  const balanceOf = async (address: string): Promise<bigint> =>
    (await client.call('getBalanceByAddress', { address })).balance
  const entry = (transactionId: string) =>
    client.call('getMempoolEntry', { transactionId, includeOrphanPool: false, filterTransactionPool: false })

  describe('a payment', () => {
    it('changes balances with the block that includes it, and is accepted by the next chain block', async () => {
      const receiver = node.newAccount()
      const subscriber = await node.connect()
      await subscriber.subscribe({ type: 'virtual-chain-changed', includeAcceptedTransactionIds: true })
      await subscriber.subscribe({ type: 'utxos-changed', addresses: [receiver.address] })
      const { transactionId } = await node.pay(receiver.address, 300_000_000n)

      const including = await node.include(transactionId)
      const { data } = await subscriber.waitFor('utxos-changed')
      const { block } = await client.call('getBlock', { hash: including, includeTransactions: false })
      expect(data.removed).toEqual([])
      expect(data.added).toEqual([
        expect.objectContaining({
          address: receiver.address,
          outpoint: { transactionId, index: 0 },
          amount: 300_000_000n,
          blockDaaScore: block.header.daaScore + 1n,
          isCoinbase: false,
        }),
      ])
      await expect.poll(() => balanceOf(receiver.address)).toBe(300_000_000n)
      const own = await subscriber.waitFor('virtual-chain-changed', (one) =>
        one.data.addedChainBlockHashes.includes(including),
      )
      expect(own.data.acceptedTransactionIds.flatMap((one) => one.acceptedTransactionIds)).not.toContain(transactionId)

      const accepting = await node.mine()
      const next = await subscriber.waitFor('virtual-chain-changed', (one) =>
        one.data.addedChainBlockHashes.includes(accepting),
      )
      expect(next.data.acceptedTransactionIds).toEqual([
        { acceptingBlockHash: accepting, acceptedTransactionIds: expect.arrayContaining([transactionId]) },
      ])
      subscriber.close()
    })

    it('leaves the mempool with the block that includes it', async () => {
      const { transactionId } = await node.pay(node.newAccount().address, 100_000_000n)
      expect((await entry(transactionId)).mempoolEntry.isOrphan).toBe(false)
      await node.include(transactionId)
      expect(
        await client.rejection('getMempoolEntry', {
          transactionId,
          includeOrphanPool: false,
          filterTransactionPool: false,
        }),
      ).toBe(`Transaction ${transactionId} not found`)
    })

    it('is listed under its accepting block by getVirtualChainFromBlock, after the coinbase', async () => {
      const { transactionId } = await node.pay(node.newAccount().address, 100_000_000n)
      const including = await node.include(transactionId)
      const accepting = await node.mine()
      const result = await client.call('getVirtualChainFromBlock', {
        startHash: including,
        includeAcceptedTransactionIds: true,
      })
      const { block } = await client.call('getBlock', { hash: including, includeTransactions: false })
      expect(result).toEqual({
        removedChainBlockHashes: [],
        addedChainBlockHashes: [accepting],
        acceptedTransactionIds: [
          {
            acceptingBlockHash: accepting,
            acceptedTransactionIds: [block.verboseData?.transactionIds[0], transactionId],
          },
        ],
      })
    })

    it('has its senders and block in getVirtualChainFromBlockV2, as the verbosity requests', async () => {
      const receiver = node.newAccount()
      const { transactionId, transaction } = await node.pay(receiver.address, 100_000_000n)
      const including = await node.include(transactionId)
      await node.mine()
      const fetchTransaction = async (dataVerbosityLevel: 'None' | 'Low' | 'High' | 'Full') => {
        const { chainBlockAcceptedTransactions } = await client.call('getVirtualChainFromBlockV2', {
          startHash: including,
          dataVerbosityLevel,
        })
        return chainBlockAcceptedTransactions[0]?.acceptedTransactions[1]
      }
      const [none, low, high, full] = [
        await fetchTransaction('None'),
        await fetchTransaction('Low'),
        await fetchTransaction('High'),
        await fetchTransaction('Full'),
      ]
      expect(none?.verboseData?.transactionId).toBeUndefined()
      expect(none?.inputs).toHaveLength(1)
      expect(low?.verboseData).toMatchObject({ transactionId, blockHash: including })
      const sender = low?.inputs[0]?.verboseData?.utxoEntry
      expect(sender?.verboseData?.scriptPublicKeyAddress).toMatch(new RegExp(`^${node.network.addressPrefix}:`))
      expect(sender?.amount).toBeUndefined()
      expect(high?.inputs[0]?.verboseData?.utxoEntry?.amount).toBeGreaterThan(100_000_000n)
      expect(high?.inputs[0]?.previousOutpoint).toEqual(transaction.inputs[0]?.previousOutpoint)
      expect(high?.version).toBeUndefined()
      expect(full).toMatchObject({ version: 0, lockTime: 0n })
      expect(low?.outputs[0]).toMatchObject({
        value: 100_000_000n,
        verboseData: { scriptPublicKeyAddress: receiver.address },
      })
    })

    it('has a return address after one more block', async () => {
      const { account } = await node.utxo()
      const { transactionId } = await node.pay(node.newAccount().address, 100_000_000n)
      const including = await node.include(transactionId)
      const { block } = await client.call('getBlock', { hash: including, includeTransactions: false })
      const request = { txid: transactionId, acceptingBlockDaaScore: block.header.daaScore + 1n }
      expect(await client.rejection('getUtxoReturnAddress', request)).toBe(
        'utxo inquirer error: Transaction not found at given accepting daa score',
      )
      await node.mine()
      expect(await client.call('getUtxoReturnAddress', request)).toEqual({ returnAddress: account.address })
      const coinbase = { ...request, txid: block.verboseData?.transactionIds[0] ?? '' }
      expect(await client.rejection('getUtxoReturnAddress', coinbase)).toBe(
        'utxo inquirer error: Transaction return address is coinbase',
      )
    })

    it('is rejected when resubmitted: already in the mempool, later already accepted', async () => {
      const { transactionId, transaction } = await node.pay(node.newAccount().address, 100_000_000n)
      const again = () => client.rejection('submitTransaction', { transaction, allowOrphan: false })
      const rejected = `Rejected transaction ${transactionId}: transaction ${transactionId}`
      expect(await again()).toBe(`${rejected} is already in the mempool`)
      await node.include(transactionId)
      expect(await again()).toBe(`${rejected} was already accepted by the consensus`)
    })

    it('can be spent before it is mined; each block includes one transaction of the chain', async () => {
      const { account } = await node.utxo()
      const first = await node.pay(node.newAccount().address, 100_000_000n)
      const to = [{ address: node.newAccount().address, amount: 100_000_000n }]
      const second = createPayment({ from: account, utxos: [first.change], to })
      const third = createPayment({ from: account, utxos: [second.change], to })
      for (const { transaction } of [second, third])
        await client.call('submitTransaction', { transaction, allowOrphan: false })
      const blocks = [
        await node.include(first.transactionId),
        await node.include(second.transactionId),
        await node.include(third.transactionId),
      ]
      expect(new Set(blocks).size).toBe(3)
    })
  })

  describe('balances and UTXOs', () => {
    it('returns balances in the order of the request, with duplicates, and 0 for unknown addresses', async () => {
      const [rich, poor] = [node.newAccount().address, node.newAccount().address]
      await node.include((await node.pay(rich, 500_000_000n)).transactionId)
      await indexedUtxos(client, [rich])
      expect(await client.call('getBalancesByAddresses', { addresses: [poor, rich, poor, rich] })).toEqual({
        entries: [
          { address: poor, balance: 0n },
          { address: rich, balance: 500_000_000n },
          { address: poor, balance: 0n },
          { address: rich, balance: 500_000_000n },
        ],
      })
    })

    it('returns UTXOs with their address, once for duplicate addresses', async () => {
      const { address } = node.newAccount()
      const { transactionId } = await node.pay(address, 500_000_000n)
      await node.include(transactionId)
      expect(await indexedUtxos(client, [address, node.newAccount().address, address])).toEqual([
        expect.objectContaining({ address, outpoint: { transactionId, index: 0 }, amount: 500_000_000n }),
      ])
      expect(await client.call('getUtxosByAddresses', { addresses: [] })).toEqual({ entries: [] })
    })

    it('keeps a UTXO spent in the mempool until the spending transaction is mined', async () => {
      const payer = node.newAccount()
      await node.include((await node.pay(payer.address, 1_000_000_000n)).transactionId)
      const utxos = await indexedUtxos(client, [payer.address])
      const { transaction, transactionId } = createPayment({
        from: payer,
        utxos,
        to: [{ address: node.newAccount().address, amount: 100_000_000n }],
      })
      await client.call('submitTransaction', { transaction, allowOrphan: false })
      expect(await balanceOf(payer.address)).toBe(1_000_000_000n)
      await node.include(transactionId)
      await expect.poll(() => balanceOf(payer.address)).toBeLessThan(900_000_000n)
    })
  })
}
