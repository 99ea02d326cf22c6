import { describe, expect, it } from 'vitest'
import type { NodeUnderTest } from '../support/node-under-test.js'
import { createPayment } from '../support/payment.js'

const KAS = 100_000_000n

/** What becomes of a transaction whose coins nobody knows yet. */
export function orphans(node: NodeUnderTest): void {
  const { client } = node

  describe('an orphan', () => {
    it('is refused in safe mode even where its sender would allow it', async ({ skip }) => {
      if (await isUnsafe(node)) skip('this node runs with unsafe RPC')
      const { coin, owner } = await node.coin()
      const parent = createPayment({ from: owner, coins: [coin], to: [{ address: owner.address, amount: KAS }] })
      const to = [{ address: node.stranger().address, amount: KAS }]
      const orphan = createPayment({ from: owner, coins: [parent.change], to })
      const request = { transaction: orphan.transaction, allowOrphan: true }
      expect(await client.refusal('submitTransaction', request)).toBe(
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
  (await client.refusal('unban', { ip: '203.0.113.77' })).includes('is not registered')
