import { beforeAll, describe, expect, it } from 'vitest'
import { transactionId } from '../../../../src/model/transaction-id.js'
import { toTransaction } from '../../../../src/model/serialized-transaction.js'
import { computeMass } from '../../../../src/model/mass.js'
import type { TransactionOperations } from '../../../../src/operations/transactions/transaction-operations.js'
import { loadSdk } from '../../../../src/sdk/wasm/load.js'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { operationsOn } from '../support/operations.js'

const KAS = 100_000_000n

/** Masses of transactions, computed by the library and by the node. */
export function masses(node: NodeUnderTest): void {
  const { client } = node

  describe('the mass of a transaction', () => {
    let operations: TransactionOperations

    beforeAll(async () => {
      operations = operationsOn(node, await loadSdk())
    })

    it.each<[string, number, readonly bigint[]]>([
      ['with one input and one recipient', 1, [5n * KAS]],
      ['with one input and a small output', 1, [KAS / 10n]],
      ['with two inputs and one recipient', 2, [25n * KAS]],
      ['with one input and five recipients', 1, [KAS, KAS / 2n, KAS / 4n, 2n * KAS, 3n * KAS]],
      ['with four inputs and three recipients', 4, [20n * KAS, 20n * KAS, 20n * KAS]],
      ['with three inputs and change only', 3, []],
    ])('%s equals the mass of the node', async (_, count, amounts) => {
      const utxos = await Promise.all(Array.from({ length: count }, () => node.utxo()))
      const [{ account } = never()] = utxos
      const { transactions } = await operations.create({
        entries: utxos.map(({ utxo }) => utxo),
        ...(amounts.length > 0 && {
          outputs: amounts.map((amount) => ({ address: node.newAccount().address, amount })),
        }),
        changeAddress: account.address,
      })
      const [pending = never()] = transactions
      pending.sign([account.privateKey])
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
