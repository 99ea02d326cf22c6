import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { PaymentEvent } from '../../../src/feed/payments/payment.js'
import type { Payments } from '../../../src/feed/payments/create-payments.js'
import { createCustomer, type Customer } from './support/customer.js'
import { KAS, openShop, type Shop, type ShopDatabase } from './support/shop.js'

/** What holds for every database: run for PGlite and PostgreSQL. */
export function describePayments(name: string, open: () => ShopDatabase): void {
  describe(name, () => {
    let database: ShopDatabase
    let shop: Shop
    let customer: Customer
    let payments: Payments

    beforeEach(async () => {
      database = open()
      shop = await openShop(database)
      customer = await createCustomer(shop.devnode)
      payments = shop.payments
      await shop.devnode.mine(3)
    })

    afterEach(async () => {
      await customer.end()
      await shop.end()
    })

    const order = (id: string, more: object = {}) =>
      payments.create({ id, amount: 5n * KAS, confirmations: 10, ...more })
    const status = async (id: string) => (await payments.get(id))?.state.status
    const eventsOf = async (id: string): Promise<readonly PaymentEvent[]> => {
      const rows = await database.sql(
        `select version::text, type, state from ${database.schema}.payment_event where request_id = $1 order by version`,
        [id],
      )
      return rows as unknown as readonly PaymentEvent[]
    }
    const typesOf = async (id: string) => (await eventsOf(id)).map(({ type }) => type)
    const counts = async () => {
      const [row] = await database.sql(
        `select count(opened_blue_score)::int as n from ${database.schema}.watched_address`,
      )
      return row?.n
    }

    it('stores a request and watches its address, once for an id', async () => {
      const made = await order('order-1', { metadata: { sku: 'a' }, label: 'Shop', message: 'Order 1' })
      expect(made).toMatchObject({
        id: 'order-1',
        address: shop.account.address(0),
        index: 0,
        amount: 5n * KAS,
        metadata: { sku: 'a' },
        uri: `${shop.account.address(0)}?amount=5&label=Shop&message=Order%201`,
        version: 0,
        refundable: 0n,
        isClosed: false,
        state: { status: 'waiting', missing: 5n * KAS, freshness: 'unknown' },
      })
      expect(made.expiresAt - made.createdAt).toBe(900_000)
      expect(await order('order-1')).toEqual(made)
      expect((await order('order-2')).index).toBe(1)
      await expect(order('order-1', { amount: KAS })).rejects.toMatchObject({
        code: 'invalid-argument',
        argument: 'amount',
        message: 'The request "order-1" exists with another "amount"',
      })
      const watched = await database.sql(`select address from ${database.schema}.watched_address order by added_at`)
      expect(watched).toEqual([0, 1].map((index) => ({ address: shop.account.address(index) })))
      expect((await payments.list()).map(({ id }) => id)).toEqual(['order-2', 'order-1'])
      expect((await payments.list({ after: 'order-2' })).map(({ id }) => id)).toEqual(['order-1'])
      expect(await payments.get('order-3')).toBeNull()
    })

    it('gives addresses out once to many callers, and leaves out those that have UTXOs', async () => {
      await shop.devnode.fund(shop.account.address(1), KAS)
      const other = shop.create()
      const ids = Array.from({ length: 6 }, (_, at) => `order-${at}`)
      const made = await Promise.all(
        ids.flatMap((id) => [order(id), other.create({ id, amount: 5n * KAS, confirmations: 10 })]),
      )
      const indexes = new Map(made.map(({ id, index }) => [id, index]))
      expect([...indexes.values()].map(Number).sort((a, b) => a - b)).toEqual([0, 2, 3, 4, 5, 6])
      expect(made.every(({ id, index }) => indexes.get(id) === index)).toBe(true)
    })

    it('rejects an address that was used before, or that is of another request', async () => {
      const [, used] = shop.devnode.accounts
      await expect(order('order-1', { address: used!.address })).rejects.toMatchObject({ argument: 'address' })
      const address = shop.account.address(9)
      await order('order-2', { address })
      await expect(order('order-3', { address })).rejects.toMatchObject({
        code: 'invalid-argument',
        argument: 'address',
        message: '"address" is watched already, or has received something before',
      })
      await expect(order('order-2', { address: shop.account.address(10) })).rejects.toMatchObject({
        argument: 'address',
      })
    })

    it('follows a payment from the mempool to its confirmations, without going back', async () => {
      shop.startFeed()
      const { address } = await order('order-1')
      await shop.untilMined(counts, 1)
      shop.run()
      await customer.pay(address, 5n * KAS)
      await expect.poll(() => status('order-1')).toBe('seen')
      await shop.untilMined(() => status('order-1'), 'confirmed')
      await expect.poll(() => typesOf('order-1')).toEqual(['seen', 'paid', 'confirmed'])
      const events: PaymentEvent[] = []
      for await (const event of payments.events()) {
        events.push(event)
        if (events.length === 3) break
      }
      expect(events.map(({ version, type, state }) => [version, type, state.status, state.received])).toEqual([
        [1, 'seen', 'seen', 0n],
        [2, 'paid', 'paid', 5n * KAS],
        [3, 'confirmed', 'confirmed', 5n * KAS],
      ])
      const record = await payments.get('order-1')
      expect(record).toMatchObject({ version: 3, refundable: 5n * KAS, state: { isLate: false, missing: 0n } })
      expect(await payments.payers('order-1')).toEqual([
        { transactionId: expect.any(String), amount: 5n * KAS, addresses: [shop.devnode.accounts[0]!.address] },
      ])
    })

    it('takes a payment back that a reorg drops, and counts it again', async () => {
      shop.startFeed()
      const { address } = await order('order-1')
      await shop.untilMined(counts, 1)
      shop.run()
      const id = await customer.pay(address, 5n * KAS)
      await shop.untilMined(() => status('order-1'), 'paid')
      await shop.devnode.reorg({ depth: 3, drop: [id] })
      await shop.untilMined(() => status('order-1'), 'waiting')
      expect(await payments.get('order-1')).toMatchObject({
        state: { wasReverted: true, received: 0n, missing: 5n * KAS },
      })
      await shop.devnode.fund(address, 2n * KAS)
      await shop.untilMined(() => status('order-1'), 'partly-paid')
      await shop.devnode.fund(address, 4n * KAS)
      await shop.untilMined(() => status('order-1'), 'confirmed')
      expect(await payments.get('order-1')).toMatchObject({ state: { wasReverted: true, excess: KAS } })
      await expect.poll(async () => (await typesOf('order-1')).at(-1)).toBe('confirmed')
      const types = await typesOf('order-1')
      expect(types).toContain('reverted')
      expect((await eventsOf('order-1')).map(({ version }) => Number(version))).toEqual(types.map((_, at) => at + 1))
    })

    it('expires, and says what is late', async () => {
      shop.startFeed()
      shop.run()
      const { address } = await order('order-1', { expiresIn: 1 })
      await shop.untilMined(counts, 1)
      await expect.poll(() => typesOf('order-1')).toEqual(['expired'])
      await shop.devnode.fund(address, 5n * KAS)
      await shop.untilMined(() => status('order-1'), 'confirmed')
      expect(await payments.get('order-1')).toMatchObject({ state: { isLate: true, isExpired: true } })
    })
  })
}
