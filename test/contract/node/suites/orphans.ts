import { describe, expect, it } from 'vitest'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment } from '../support/payment.js'

const KAS = 100_000_000n

/** Transactions that spend outputs unknown to the node. */
export function orphans(node: NodeUnderTest): void {
  const { client } = node

  describe('an orphan', () => {
    it('is rejected in safe mode also with allowOrphan', async ({ skip }) => {
      if (await isUnsafe(node)) skip('this node runs with unsafe RPC')
      const { utxo, account } = await node.utxo()
      const parent = createPayment({ from: account, utxos: [utxo], to: [{ address: account.address, amount: KAS }] })
      const to = [{ address: node.newAccount().address, amount: KAS }]
      const orphan = createPayment({ from: account, utxos: [parent.change], to })
      const request = { transaction: orphan.transaction, allowOrphan: true }
      expect(await client.rejection('submitTransaction', request)).toBe(
        `Rejected transaction ${orphan.transactionId}: transaction ${orphan.transactionId} is an orphan where orphan is disallowed`,
      )
      await client.call('submitTransaction', { transaction: parent.transaction, allowOrphan: false })
      await client.call('submitTransaction', { transaction: orphan.transaction, allowOrphan: false })
      await node.include(parent.transactionId)
      await node.include(orphan.transactionId)
    })
  })
}

const isUnsafe = async ({ client }: NodeUnderTest): Promise<boolean> =>
  (await client.rejection('unban', { ip: '203.0.113.77' })).includes('is not registered')
