import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { PGlite } from '@electric-sql/pglite'
import { describe, expect, it } from 'vitest'
import { createPgliteSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import type { Payments } from '../../../src/feed/payments/create-payments.js'
import type { Refund } from '../../../src/feed/payments/payment.js'
import { light } from '../../../src/light/index.js'
import { createChainEngine } from '../../../src/engine/engine.js'
import { createPayouts, type Payouts } from '../../../src/payouts/create-payouts.js'
import { pgliteJournal } from '../../../src/payouts/stores/postgres-journal.js'
import { importRecipe, statementsOf } from './support/recipe.js'
import { KAS, openShop } from './support/shop.js'

interface WebhookRecipe {
  createReceiver(
    orders: {
      update(id: string, status: string, version: number): Promise<void>
      deliver(id: string): Promise<void>
    },
    secret: string,
  ): Server
}
interface RefundRecipe {
  refund(payouts: Payouts, order: string, address: string, amount: bigint): Promise<unknown>
}
interface ExcessRecipe {
  refundExcess(payments: Payments, order: string, to: string): Promise<Refund | null>
}

/** The code of docs/recipes/webhook.md and refund.md, as it is printed there. */
export function describeRecipes(open: () => PGlite): void {
  describe('the recipes of a shop', () => {
    it('deliver once by webhooks, and return what was paid too much once', async () => {
      const database = open()
      const { createReceiver } = await importRecipe<WebhookRecipe>('webhook.md', 'createReceiver')
      const { refundExcess } = await importRecipe<ExcessRecipe>('refund.md', 'refundExcess')
      const { refund } = await importRecipe<RefundRecipe>('refund.md', 'refund')
      const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
      const delivered: string[] = []
      await database.exec(
        "create table orders (id text primary key, status text not null default '', version int default 0, delivered_at timestamptz)",
      )
      await database.query("insert into orders (id) values ('order-1')")
      const [update = '', due = ''] = statementsOf('webhook.md')
      let attempts = 0
      let isCut = false
      const orders = {
        async update(id: string, status: string, version: number) {
          if (attempts++ === 0) throw new Error('The database of the receiver is away') // it is posted again
          await database.query(update, [id, status, version])
        },
        async deliver(id: string) {
          await database.transaction(async (client) => {
            if ((await client.query(due, [id])).affectedRows !== 1) return
            if (!isCut) {
              isCut = true
              throw new Error('The receiver ends after the update')
            }
            delivered.push(id)
          })
        },
      }
      const receiver = createReceiver(orders, secret).listen(0, '127.0.0.1')
      await once(receiver, 'listening')
      const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`
      const shop = await openShop({
        schema: 'recipes',
        sql: async (text, values) => (await database.query<Record<string, unknown>>(text, values)).rows,
        sink: () => createPgliteSink({ database, schema: 'recipes' }),
        transaction: (work) => database.transaction(work),
        options: () => ({ database }),
      })
      const engine = createChainEngine({ network: 'simnet', url: shop.devnode.urls.borsh, sdk: light })
      const [hot, customer] = shop.devnode.accounts
      const payouts = createPayouts({
        engine,
        journal: pgliteJournal({ database, schema: 'recipe_payouts' }),
        addresses: [hot!.address],
        privateKeys: [hot!.privateKeyHex],
        minConfirmations: 1,
      })
      await payouts.list({ limit: 1 }) // makes the tables
      const payments = shop.create({ webhook: { url, secret, allowPrivate: true }, payouts })
      const { address } = await payments.create({ id: 'order-1', amount: 2n * KAS, confirmations: 2 })
      shop.startFeed()
      shop.run(payments)
      await shop.devnode.fund(address, 3n * KAS)
      await shop.untilMined(async () => {
        await database.query('update recipes.webhook_delivery set next_at = now() where attempts > 0')
        return delivered
      }, ['order-1'])
      expect([attempts > 1, isCut]).toEqual([true, true])
      const unsigned = { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }
      expect((await fetch(url, unsigned)).status).toBe(400)
      expect((await fetch(url, { ...unsigned, headers: {} })).status).toBe(415)

      const to = customer!.address
      const returned = await refundExcess(payments, 'order-1', to)
      expect(returned).toMatchObject({ to, amount: KAS, payoutId: 'refund/order-1/1' })
      expect(await refundExcess(payments, 'order-1', to)).toEqual(returned)
      expect(await payouts.get('refund/order-1/1')).toMatchObject({ state: 'queued', amount: KAS })
      expect(await refund(payouts, '42', to, KAS)).toMatchObject({ id: 'refund-42' })
      await expect(refund(payouts, '42', to, 2n * KAS)).rejects.toMatchObject({ code: 'id-conflict' })

      await shop.end()
      await engine.dispose()
      receiver.closeAllConnections()
      receiver.close()
    })
  })
}
