import { beforeAll, describe, expect, it } from 'vitest'
import { transactionId } from '../../../../src/model/transaction-id.js'
import type { Transaction } from '../../../../src/model/transaction.js'
import type { TransactionOperations } from '../../../../src/operations/transactions/transactions.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'
import { createPayment, type PaymentPlan } from '../support/payment.js'

const KAS = 100_000_000n

/** How a transaction takes the place of another in the mempool. */
export function replacements(node: NodeUnderTest): void {
  const { client } = node
  const submit = (transaction: Transaction) => client.call('submitTransaction', { transaction, allowOrphan: false })
  const replace = (transaction: Transaction) => client.call('submitTransactionReplacement', { transaction })
  const refusal = async (transaction: Transaction) =>
    (await client.refusal('submitTransactionReplacement', { transaction })).replaceAll(
      transactionId(transaction),
      '<id>',
    )
  const plan = async (change: Partial<PaymentPlan> = {}): Promise<PaymentPlan> => {
    const { coin, owner } = await node.coin()
    return { from: owner, coins: [coin], to: [{ address: node.stranger().address, amount: KAS }], ...change }
  }
  const expectGone = async (id: string) => {
    const gone = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
    expect(await client.refusal('getMempoolEntry', gone)).toBe(`Transaction ${id} not found`)
  }

  describe('replacing by fee', () => {
    it('needs something to replace', async () => {
      expect(await refusal(createPayment(await plan()).transaction)).toBe(
        'Rejected transaction <id>: replace by fee found no double spending transaction in the mempool',
      )
    })

    it('replaces one and not two', async () => {
      const [one, other] = [await plan(), await plan()]
      const [first, second] = [createPayment(one), createPayment(other)]
      await submit(first.transaction)
      await submit(second.transaction)
      const both = createPayment({ ...one, coins: [...one.coins, ...other.coins], fee: 10_000_000n })
      expect(await refusal(both.transaction)).toBe(
        'Rejected transaction <id>: replace by fee found more than one double spending transaction in the mempool',
      )
      await node.include(first.transactionId)
    })

    it('needs a higher fee rate: the same is refused, one sompi more is taken and answers with what was replaced', async () => {
      const details = await plan({ fee: 1_000_000n })
      const first = createPayment(details)
      await submit(first.transaction)
      const again = { ...details, to: [{ address: node.stranger().address, amount: KAS }] }
      expect(await refusal(createPayment(again).transaction)).toBe(
        'Rejected transaction <id>: fee rate per contextual mass gram is not greater than the fee rate of the replaced transaction',
      )
      const better = createPayment({ ...again, fee: 1_000_001n })
      const { transactionId: id, replacedTransaction } = await replace(better.transaction)
      expect(id).toBe(better.transactionId)
      expect(transactionId(replacedTransaction)).toBe(first.transactionId)
      expect(replacedTransaction.verboseData).toBeUndefined()
      await expectGone(first.transactionId)
      await node.include(better.transactionId)
    })

    it('takes with it what was built on the other', async () => {
      const details = await plan()
      const first = createPayment(details)
      await submit(first.transaction)
      const child = createPayment({ ...details, coins: [first.change] })
      await submit(child.transaction)
      const better = createPayment({ ...details, fee: 1_000_000n })
      await replace(better.transaction)
      await expectGone(child.transactionId)
      await node.include(better.transactionId)
    })
  })

  describe('a payment of ours that takes the place of another', () => {
    let operations: TransactionOperations

    beforeAll(async () => {
      operations = operationsOn(node, await loadSdk())
    })

    const settings = async () => {
      const { coin, owner } = await node.coin()
      return {
        entries: [coin],
        outputs: [{ address: node.stranger().address, amount: 5n * KAS }],
        changeAddress: owner.address,
        privateKeys: [owner.privateKey],
      }
    }

    it('is taken at a sompi more than the other paid', async () => {
      const given = await settings()
      const first = await operations.send(given)
      const second = await operations.send({ ...given, replaces: first.transactionIds[0] })
      expect(second.summary.fees).toBe(first.summary.fees + 1n)
      await expectGone(first.transactionIds[0] ?? '')
      await node.include(second.transactionIds[0] ?? '')
    })

    it('is taken where its storage mass is far above that of the other', async () => {
      const given = await settings()
      const first = await operations.send({ ...given, feeRate: 200 })
      const outputs = [{ address: node.stranger().address, amount: KAS / 20n }]
      const second = await operations.send({ ...given, outputs, replaces: first.transactionIds[0] })
      await expectGone(first.transactionIds[0] ?? '')
      await node.include(second.transactionIds[0] ?? '')
    })

    it('calls the other off where it pays nobody', async () => {
      const { outputs, ...given } = await settings()
      const first = await operations.send({ ...given, outputs })
      const second = await operations.send({ ...given, replaces: first.transactionIds[0] })
      await node.include(second.transactionIds[0] ?? '')
      await node.mine()
      const { entries } = await client.call('getUtxosByAddresses', { addresses: outputs.map(({ address }) => address) })
      expect(entries).toEqual([])
    })

    it('is refused once the other is in a block', async () => {
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
