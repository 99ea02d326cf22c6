import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { checkSettings } from '../../../src/feed/payments/check-settings.js'
import { createRequest } from '../../../src/feed/payments/create-request.js'
import { queryOf } from '../../../src/feed/payments/run-payments.js'
import type { PaymentEvent } from '../../../src/feed/payments/payment.js'
import type { RefundPayouts } from '../../../src/feed/payments/refunds.js'
import { paymentsToPrometheus } from '../../../src/feed/payments/metrics.js'
import type { Payments } from '../../../src/feed/payments/create-payments.js'
import { claimDeliveries, settleDelivery } from '../../../src/feed/payments/webhooks/deliver.js'
import type { Query } from '../../../src/sql/session.js'
import { createCustomer, type Customer } from './support/customer.js'
import { openReceiver } from './support/receiver.js'
import { emptyTables } from '../support/tables.js'
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
      await emptyTables(database.sql, database.schema)
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
    const eventsOf = async (id: string) => {
      const rows = await database.sql(
        `select version::text, type from ${database.schema}.payment_event where request_id = $1 order by version`,
        [id],
      )
      return rows.map(({ version, type }) => ({ version: Number(version), type: String(type) }))
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

    it('finds the request of an id that was made with an address of the caller meanwhile', async () => {
      await payments.list() // makes the tables
      const [own, given] = [0, 7].map((index) => shop.account.address(index))
      const fields = { id: 'order-1', amount: 5n * KAS, confirmations: 10 }
      const made = await database.transaction((client) => {
        const [query, tables] = [queryOf(client), { schema: database.schema, network: 'simnet' as const }]
        let lookups = 0
        const isUsed = async () => {
          if (++lookups > 1) throw new Error('It goes on to the next address')
          const rival = checkSettings({ ...fields, address: given }, 'simnet')
          await createRequest(query, { tables, supply: undefined, daaScore: 1n }, rival)
          return false
        }
        const supply = {
          account: own!,
          startIndex: 0,
          addressAt: (index: number) => shop.account.address(index),
          isUsed,
        }
        return createRequest(query, { tables, supply, daaScore: 1n }, checkSettings(fields, 'simnet'))
      })
      expect(made.rows.map(({ id, terms }) => [id, terms.address])).toEqual([['order-1', given]])
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
      const confirmations = 100
      const { address } = await order('order-1', { confirmations })
      await shop.untilMined(counts, 1)
      shop.run()
      const id = await customer.pay(address, 5n * KAS)
      const depth = await shop.untilMined(() => status('order-1'), 'paid')
      await shop.devnode.reorg({ depth, drop: [id] })
      await shop.untilMined(() => status('order-1'), 'waiting')
      expect(await payments.get('order-1')).toMatchObject({
        state: { wasReverted: true, received: 0n, missing: 5n * KAS },
      })
      await shop.devnode.fund(address, 2n * KAS)
      await shop.untilMined(() => status('order-1'), 'partly-paid')
      await shop.devnode.fund(address, 4n * KAS)
      await shop.devnode.mine(confirmations)
      await shop.untilMined(() => status('order-1'), 'confirmed')
      expect(await payments.get('order-1')).toMatchObject({ state: { wasReverted: true, excess: KAS } })
      await expect.poll(async () => (await typesOf('order-1')).at(-1)).toBe('confirmed')
      const types = await typesOf('order-1')
      expect(types).toContain('reverted')
      expect((await eventsOf('order-1')).map(({ version }) => version)).toEqual(types.map((_, at) => at + 1))
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

    it('inserts a request and its address with the transaction of the caller, or neither', async () => {
      await order('order-0') // makes the tables
      const failed = new Error('rolled back')
      const inTransaction = database.transaction(async (client) => {
        await payments.create({ id: 'order-1', amount: KAS }, { client })
        throw failed
      })
      await expect(inTransaction).rejects.toBe(failed)
      expect(await payments.get('order-1')).toBeNull()
      const made = await database.transaction((client) => payments.create({ id: 'order-2', amount: KAS }, { client }))
      expect(made.index).toBe(1) // that of the first one, which was not shown
      expect(await payments.get('order-2')).toEqual(made)
      const watched = await database.sql(`select address from ${database.schema}.watched_address order by added_at`)
      expect(watched).toEqual([0, 1].map((index) => ({ address: shop.account.address(index) })))
    })

    it('delivers each event by webhooks at least once, in order, where the receiver fails', async () => {
      const receiver = await openReceiver((count) => count % 3 === 1)
      const webhook = { url: receiver.url, secret: receiver.secret, allowPrivate: true }
      const [one, two] = [shop.create({ webhook }), shop.create({ webhook })]
      shop.startFeed()
      const made = await Promise.all(
        ['a', 'b c', 'd'].map((id) => one.create({ id, amount: 2n * KAS, confirmations: 3 })),
      )
      await shop.untilMined(counts, 3)
      shop.run(one)
      shop.run(two)
      for (const { address } of made) await shop.devnode.fund(address, 2n * KAS)
      const pending = async () => {
        await shop.devnode.mine()
        await database.sql(`update ${database.schema}.webhook_delivery set next_at = now() where attempts > 0`)
        // by the events: the status of a read is that of the moment, before an instance has stored it
        const types = await Promise.all(made.map(({ id }) => typesOf(id)))
        return [types.map((all) => all.at(-1)), (await one.metrics()).webhooks.pending]
      }
      await expect.poll(pending).toEqual([['confirmed', 'confirmed', 'confirmed'], 0])
      for (const { id } of made) {
        const events = await eventsOf(id)
        const first = receiver.accepted.filter(
          (each, at, all) => each.id === id && all.findIndex((other) => other.key === each.key) === at,
        )
        expect(first.map(({ version, type }) => [version, type])).toEqual(
          events.map(({ version, type }) => [version, `payment.${type}`]),
        )
      }
      expect(receiver.failed).toBeGreaterThan(0)
      expect(receiver.differing).toEqual([])
      await receiver.close()
    })

    it('keeps a delivery where an attempt that outlasted its claim ends otherwise', async () => {
      const { schema, sql } = database
      const tables = { schema, network: 'simnet' } as const
      await order('a')
      await sql(`insert into ${schema}.payment_event (network, sequence, request_id, version, type, state)
        values ('simnet', 1, 'a', 1, 'paid', '{}')`)
      await sql(`insert into ${schema}.webhook_delivery (network, request_id, version) values ('simnet', 'a', 1)`)
      const query: Query = (text, values = []) => sql(text, [...values])
      const claim = () => claimDeliveries(query, tables)
      const stored = async () =>
        sql(`select delivered_at is null as open, failed_at is null as wanted, attempts::int, last_error as error
          from ${schema}.webhook_delivery`)
      const expire = () => sql(`update ${schema}.webhook_delivery set next_at = now()`)
      const claimed = async () => (await claim())[0]!
      const first = await claimed()
      expect(await claim()).toEqual([])
      await expire()
      const second = await claimed()
      await settleDelivery(query, tables, first, { type: 'failed', error: 'refused' })
      expect(await stored()).toEqual([{ open: true, wanted: true, attempts: 2, error: null }])
      await settleDelivery(query, tables, second, { type: 'delivered' })
      await settleDelivery(query, tables, second, { type: 'retry', at: 0, error: 'busy' })
      expect(await stored()).toEqual([{ open: false, wanted: true, attempts: 2, error: null }])
    })

    it('stops a delivery that the receiver refuses for ever, and goes on with the next one', async () => {
      const receiver = await openReceiver((count) => (count === 0 ? 410 : false))
      const one = shop.create({ webhook: { url: receiver.url, secret: receiver.secret, allowPrivate: true } })
      shop.run(one)
      await one.create({ id: 'a', amount: KAS, expiresIn: 1 })
      await expect.poll(async () => (await one.metrics()).webhooks.failed).toBe(1)
      await one.create({ id: 'b', amount: KAS, expiresIn: 1 })
      await expect.poll(() => receiver.accepted.map(({ id }) => id)).toEqual(['b'])
      expect(paymentsToPrometheus(await one.metrics())).toContain('payments_webhook_failed 1\n')
      await receiver.close()
    })

    it('pays refunds by payouts, each once and never more than was received', async () => {
      const paid: unknown[] = []
      let isRefused = true
      const payouts: RefundPayouts = {
        async pay(id, payment, { client }) {
          await client.query('select 1')
          if (isRefused) throw new Error('The queue refuses it')
          paid.push({ id, ...payment })
        },
      }
      const one = shop.create({ payouts })
      const to = shop.devnode.accounts[1]!.address
      await expect(payments.refund('a', { to, amount: 1n })).rejects.toMatchObject({ code: 'unsupported' })
      shop.startFeed()
      const { address } = await one.create({ id: 'a', amount: 2n * KAS, confirmations: 1 })
      await shop.untilMined(counts, 1)
      shop.run(one)
      await shop.devnode.fund(address, 3n * KAS)
      await shop.untilMined(() => status('a'), 'confirmed')
      await expect(one.refund('a', { to, amount: KAS })).rejects.toThrow('The queue refuses it')
      expect(await one.refunds('a')).toEqual([])
      isRefused = false
      const refunds = await Promise.all([1, 1].map((number) => one.refund('a', { to, amount: KAS, number })))
      expect(refunds[0]).toEqual(refunds[1])
      expect(paid).toEqual([{ id: 'refund/a/1', address: to, amount: KAS }])
      expect(await one.get('a')).toMatchObject({ refundable: 2n * KAS, state: { refunded: KAS, status: 'confirmed' } })
      await expect(one.refund('a', { to, amount: 2n * KAS + 1n })).rejects.toMatchObject({ argument: 'amount' })
      await expect(one.refund('a', { to: 'payer', amount: KAS })).rejects.toMatchObject({ argument: 'to' })
      await expect(one.refund('b', { to, amount: KAS })).rejects.toMatchObject({ argument: 'id' })
      await expect(one.refund('a', { to, amount: KAS + 1n, number: 1 })).rejects.toMatchObject({ argument: 'number' })
      await expect.poll(async () => (await typesOf('a')).at(-1)).toBe('refunded')
      expect(await one.refunds('a')).toEqual([refunds[0]])
    })
  })
}
