import { beforeAll, describe, expect, it } from 'vitest'
import { transactionId } from '../../../../src/model/transaction-id.js'
import { toTransaction } from '../../../../src/model/serialized-transaction.js'
import { computeMass } from '../../../../src/model/mass.js'
import type { TransactionOperations } from '../../../../src/operations/transactions/transactions.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'

const KAS = 100_000_000n

/** What transactions weigh, in our books and in the node's. */
export function masses(node: NodeUnderTest): void {
  const { client } = node

  describe('a transaction weighs', () => {
    let operations: TransactionOperations

    beforeAll(async () => {
      operations = operationsOn(node, await loadSdk())
    })

    it.each<[string, number, readonly bigint[]]>([
      ['from one coin to one payee', 1, [5n * KAS]],
      ['from one coin to a payee of little', 1, [KAS / 10n]],
      ['from two coins to one payee', 2, [25n * KAS]],
      ['from one coin to five payees', 1, [KAS, KAS / 2n, KAS / 4n, 2n * KAS, 3n * KAS]],
      ['from four coins to three payees', 4, [20n * KAS, 20n * KAS, 20n * KAS]],
      ['from three coins to nobody', 3, []],
    ])('what we say: %s', async (_, count, amounts) => {
      const coins = await Promise.all(Array.from({ length: count }, () => node.coin()))
      const [{ owner } = never()] = coins
      const { transactions } = await operations.create({
        entries: coins.map(({ coin }) => coin),
        outputs: amounts.map((amount) => ({ address: node.stranger().address, amount })),
        changeAddress: owner.address,
      })
      const [pending = never()] = transactions
      pending.sign([owner.privateKey])
      const id = await pending.submit()
      const request = { transactionId: id, includeOrphanPool: false, filterTransactionPool: false }
      const { mempoolEntry } = await client.call('getMempoolEntry', request)
      const ours = toTransaction(pending.serialize())
      expect(transactionId(mempoolEntry.transaction)).toBe(pending.id)
      expect(mempoolEntry.fee).toBe(pending.fee)
      expect(mempoolEntry.transaction.mass).toBe(ours.mass)
      expect(mempoolEntry.transaction.verboseData?.computeMass).toBe(computeMass(ours))
      await node.include(id)
    })
  })
}

function never(): never {
  throw new Error('there is one')
}
