import type { PaymentPayload } from '@x402/core/types'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { tipScoreOf } from '../../src/model/chain-cursor/cursor.js'
import { createUnshownPayments } from '../../src/x402/server/unshown-payments.js'
import { createMemoryX402Store } from '../../src/x402/stores/store.js'
import { offer, payment, present } from './support/desk.js'
import { openMarket, type Market } from './support/market.js'
import { paymentOf } from './support/payments.js'

/** Payments that the chain does not show any more, although nothing conflicts with them. */
export function reorgTests(): void {
  describe('unshown payments', () => {
    const served = paymentOf('ab', { state: 'served', wasServed: true })
    const accepted = paymentOf('ab', { state: 'accepted', acceptedBlueScore: 105n })
    const undone = { type: 'rolled-back', blueScore: 104n }

    it('were accepted above the stored position, by no block that follows', () => {
      const unshown = createUnshownPayments()
      unshown.begin(100n)
      expect(unshown.eventOf(accepted, 104n)).toBe(undefined)
      unshown.advance(104n)
      expect(unshown.eventOf(accepted, 106n)).toEqual(undone)
      unshown.note(accepted.transactionId, { type: 'accepted', blueScore: 106n })
      expect(unshown.eventOf(accepted, 106n)).toBe(undefined)
      unshown.note(accepted.transactionId, { type: 'rolled-back', blueScore: 105n })
      expect(unshown.eventOf(accepted, 106n)).toEqual(undone)
      unshown.advance(106n)
      expect(unshown.eventOf(accepted, 110n)).toBe(undefined) // of a request long after it
      unshown.jump(104n)
      expect(unshown.eventOf(accepted, 110n)).toEqual(undone)
      unshown.begin(null)
      expect(unshown.eventOf(accepted, 110n)).toBe(undefined)
    })

    it('are lost where they were served and stay away for a hundred blocks', () => {
      const unshown = createUnshownPayments()
      const { transactionId } = served
      expect([unshown.eventOf(served, 100n), unshown.eventOf(served, 199n)]).toEqual([undefined, undefined])
      expect(unshown.eventOf(served, 200n)).toEqual({ type: 'conflicted', transactionId, blueScore: 200n })
      expect(unshown.eventOf({ ...served, acceptedBlueScore: 201n }, 201n)).toBe(undefined)
      expect(unshown.eventOf(served, 202n)).toBe(undefined)
      expect(unshown.eventOf({ ...served, wasServed: false, state: 'broadcast' }, 400n)).toBe(undefined)
    })
  })

  describe('a reorg', () => {
    let market: Market
    beforeEach(async () => {
      market = await openMarket()
    })
    afterEach(() => market.end())
    const txOf = ({ payload }: PaymentPayload): string => (JSON.parse(String(payload.transaction)) as { id: string }).id

    it('that takes away what a served payment spends is reported, and the response is repeated no more', async () => {
      const x402 = await market.facilitator(undefined, { finality: 0 })
      const wallet = await market.engine()
      await wallet.wasm.init()
      const { address, privateKeyHex } = market.agent
      const entries = await wallet.rpc.getUtxosByAddresses([address])
      const sweep = { entries, to: address, privateKeys: [privateKeyHex] }
      const { transactionIds } = await wallet.transactions.sweep(sweep)
      await market.devnode.mine(2)
      const terms = await offer(x402, market.payTo)
      const paid = await payment(await market.client(), terms)
      const response = present(x402, paid, terms)
      await expect.poll(() => market.devnode.expected.mempool()).toContain(txOf(paid))
      await market.devnode.mine(2)
      expect((await response).status).toBe(200)
      await market.devnode.reorg({ depth: 4, doubleSpend: [transactionIds.at(-1)!] })
      await expect.poll(async () => (await x402.find(txOf(paid)))?.acceptedBlueScore).toBe(null)
      expect((await present(x402, paid, terms)).status).toBe(200) // it may be accepted again
      await market.devnode.mine(110)
      await expect.poll(() => x402.metrics().lost).toBe(1)
      expect(await present(x402, paid, terms)).toMatchObject({ status: 402, reason: 'double_spent' })
    })

    it('while the server is away undoes an acceptance that was stored without its position', async () => {
      const store = createMemoryX402Store()
      const first = await market.facilitator(store)
      const terms = await offer(first, market.payTo)
      const paid = await payment(await market.client(), terms)
      await expect.poll(() => store.cursor('kaspa:simnet')).not.toBe(null)
      await first.close()
      const position = tipScoreOf((await store.cursor('kaspa:simnet'))!)
      const { transaction } = paid.payload
      const fields = { state: 'accepted', acceptedBlueScore: position + 1n, transaction: String(transaction) } as const
      await store.claim(paymentOf('ab', fields))
      const second = await market.facilitator(store)
      await market.devnode.mine(3)
      await expect.poll(async () => (await second.find(paymentOf('ab').transactionId))?.state).toBe('broadcast')
    })
  })
}
