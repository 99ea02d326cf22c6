import { beforeAll, describe, expect, it } from 'vitest'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { Transaction } from '../../../../src/model/transaction.js'
import type { TransactionOperations } from '../../../../src/operations/transactions/transaction-operations.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'
import { createPayment, type PaymentPlan } from '../support/payment.js'

const KAS = 100_000_000n

/** Replace-by-fee in the mempool. */
export function replacements(node: NodeUnderTest): void {
  const { client } = node
  const submit = (transaction: Transaction) => client.call('submitTransaction', { transaction, allowOrphan: false })
  const replace = (transaction: Transaction) => client.call('submitTransactionReplacement', { transaction })
  const rejection = async (transaction: Transaction) =>
    (await client.rejection('submitTransactionReplacement', { transaction })).replaceAll(
      transactionId(transaction),
      '<id>',
    )
  const plan = async (change: Partial<PaymentPlan> = {}): Promise<PaymentPlan> => {
    const { utxo, account } = await node.utxo()
    return { from: account, utxos: [utxo], to: [{ address: node.newAccount().address, amount: KAS }], ...change }
  }
  const expectRemoved = async (id: string) => {
    const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
    expect(await client.rejection('getMempoolEntry', request)).toBe(`Transaction ${id} not found`)
  }

  describe('replace-by-fee', () => {
    it('is rejected without a transaction to replace', async () => {
      expect(await rejection(createPayment(await plan()).transaction)).toBe(
        'Rejected transaction <id>: replace by fee found no double spending transaction in the mempool',
      )
    })

    it('is rejected where it conflicts with two transactions', async () => {
      const [one, other] = [await plan(), await plan()]
      const [first, second] = [createPayment(one), createPayment(other)]
      await submit(first.transaction)
      await submit(second.transaction)
      const both = createPayment({ ...one, utxos: [...one.utxos, ...other.utxos], fee: 10_000_000n })
      expect(await rejection(both.transaction)).toBe(
        'Rejected transaction <id>: replace by fee found more than one double spending transaction in the mempool',
      )
      await node.include(first.transactionId)
    })

    it('rejects the same fee rate, accepts one sompi more and returns the replaced transaction', async () => {
      const details = await plan({ fee: 1_000_000n })
      const first = createPayment(details)
      await submit(first.transaction)
      const again = { ...details, to: [{ address: node.newAccount().address, amount: KAS }] }
      expect(await rejection(createPayment(again).transaction)).toBe(
        'Rejected transaction <id>: fee rate per contextual mass gram is not greater than the fee rate of the replaced transaction',
      )
      const better = createPayment({ ...again, fee: 1_000_001n })
      const { transactionId: id, replacedTransaction } = await replace(better.transaction)
      expect(id).toBe(better.transactionId)
      expect(transactionId(replacedTransaction)).toBe(first.transactionId)
      expect(replacedTransaction.verboseData).toBeUndefined()
      await expectRemoved(first.transactionId)
      await node.include(better.transactionId)
    })

    it('removes the descendants of the replaced transaction', async () => {
      const details = await plan()
      const first = createPayment(details)
      await submit(first.transaction)
      const child = createPayment({ ...details, utxos: [first.change] })
      await submit(child.transaction)
      const better = createPayment({ ...details, fee: 1_000_000n })
      await replace(better.transaction)
      await expectRemoved(child.transactionId)
      await node.include(better.transactionId)
    })
  })

  describe('a replacement payment of the library', () => {
    let operations: TransactionOperations

    beforeAll(async () => {
      operations = operationsOn(node, await loadSdk())
    })

    const settings = async () => {
      const { utxo, account } = await node.utxo()
      return {
        entries: [utxo],
        outputs: [{ address: node.newAccount().address, amount: 5n * KAS }],
        changeAddress: account.address,
        privateKeys: [account.privateKey],
      }
    }

    it('is accepted with a fee one sompi higher', async () => {
      const given = await settings()
      const first = await operations.send(given)
      const second = await operations.send({ ...given, replaces: first.transactionIds[0] })
      expect(second.summary.fees).toBe(first.summary.fees + 1n)
      await expectRemoved(first.transactionIds[0] ?? '')
      await node.include(second.transactionIds[0] ?? '')
    })

    it('is accepted with a much higher storage mass than the replaced payment', async () => {
      const given = await settings()
      const first = await operations.send({ ...given, feeRate: 200 })
      const outputs = [{ address: node.newAccount().address, amount: KAS / 20n }]
      const second = await operations.send({ ...given, outputs, replaces: first.transactionIds[0] })
      await expectRemoved(first.transactionIds[0] ?? '')
      await node.include(second.transactionIds[0] ?? '')
    })

    it('cancels the replaced payment where it has no outputs', async () => {
      const { outputs, ...given } = await settings()
      const first = await operations.send({ ...given, outputs })
      const second = await operations.send({ ...given, replaces: first.transactionIds[0] })
      await node.include(second.transactionIds[0] ?? '')
      await node.mine()
      const { entries } = await client.call('getUtxosByAddresses', { addresses: outputs.map(({ address }) => address) })
      expect(entries).toEqual([])
    })

    it('is rejected once a block includes the other payment', async () => {
      const given = await settings()
      const { transactionIds } = await operations.send(given)
      await node.include(transactionIds[0] ?? '')
      await expect(operations.send({ ...given, replaces: transactionIds[0] })).rejects.toMatchObject({
        code: 'invalid-argument',
        argument: 'replaces',
      })
    })
  })
}
