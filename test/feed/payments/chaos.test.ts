import type pg from 'pg'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { createRandom } from '../../../src/devnode/machine.js'
import type { PaymentRequestRecord } from '../../../src/feed/payments/payment.js'
import { createPostgresSink } from '../../../src/feed/postgres/create-postgres-sink.js'
import { runs } from '../../full.js'
import { hasPostgres, startPostgres, type PostgresCluster } from '../support/postgres-cluster.js'
import { openReceiver } from './support/receiver.js'
import { KAS, openShop } from './support/shop.js'
import { withShopWorkers } from './support/workers.js'

/** Processes that kill themselves at a random statement, two at a time. */
const KILLS = runs(2, 500)
/** Statements of a process from its start until it has evaluated some requests, about. */
const STATEMENTS = 60

describe.skipIf(!hasPostgres)('processes of a shop (apt-get install postgresql)', () => {
  let cluster: PostgresCluster
  let pool: pg.Pool
  beforeAll(async () => {
    cluster = await startPostgres()
    pool = cluster.pool()
  })
  afterAll(() => cluster.stop())

  const sql = async (text: string, values?: unknown[]) => (await pool.query<Record<string, unknown>>(text, values)).rows

  it('write each change once and deliver it, killed at any statement, through reorgs and restarts of the server', () =>
    withShopWorkers(async (start) => {
      const random = createRandom(38)
      const below = (count: number): number => Math.floor(random() * count)
      const schema = 'chaos'
      const shop = await openShop({
        ...{ sql, schema, sink: () => createPostgresSink({ pool, schema, leaseTimeout: 1_000 }) },
        transaction: () => Promise.reject(new Error('not used')),
        options: () => ({ pool }),
      })
      const { devnode, payments } = shop
      const receiver = await openReceiver(() => random() < 0.3)
      await devnode.mine(3)
      const made: PaymentRequestRecord[] = []
      const paid: { readonly id: string }[] = []
      const create = async (): Promise<void> => {
        const expiresIn = random() < 0.2 ? 1 : 86_400_000 // none expires at the end of a long run
        const id = `order ${made.length}`
        made.push(await payments.create({ id, amount: 2n * KAS, confirmations: 1 + below(4), expiresIn }))
      }
      await create()
      shop.startFeed()
      const settings = {
        ...{ url: devnode.urls.borsh, port: cluster.port, schema },
        webhook: { url: receiver.url, secret: receiver.secret, allowPrivate: true },
      }
      const step = async (): Promise<void> => {
        const { address } = made[below(made.length)]!
        const chance = random()
        if (chance < 0.15) await create()
        else if (chance < 0.35) paid.push({ id: await devnode.fund(address, BigInt(1 + below(3)) * KAS) })
        else if (chance < 0.45) await devnode.reorg({ depth: 1 + below(3) })
        else if (chance < 0.55 && paid.length > 0) await devnode.reorg({ depth: 2, drop: [paid.at(-1)!.id] })
        else await devnode.mine()
      }
      for (let kill = 0; kill < KILLS; kill += 2) {
        const workers = [0, 1].map(() =>
          start({ ...settings, killAt: 1 + below(STATEMENTS), killsAfter: random() < 0.5 }),
        )
        const next = async (): Promise<boolean> => {
          await step()
          return workers.every(({ hasEnded }) => hasEnded())
        }
        await expect.poll(next).toBe(true) // with pauses, in which the workers compute rather than the node
        if (kill % 20 === 2) await cluster.restart()
      }
      start(settings)
      start(settings)

      /** What differs from the node, or is not delivered yet, in words. */
      const faults = async (): Promise<readonly string[]> => {
        await devnode.mine()
        await sql(
          `update ${schema}.webhook_delivery set next_at = now() where attempts > 0 and next_at > now() + interval '1 second'`,
        )
        const [due] = await sql(`select count(*)::int as n from ${schema}.payment_due`)
        const [pending] = await sql(
          `select count(*) over ()::int as n, request_id, version, attempts, last_error, failed_at::text as failed_at,
              (next_at - now())::text as due_in
            from ${schema}.webhook_delivery where delivered_at is null order by next_at limit 1`,
        )
        const found: string[] = []
        if (due?.n !== 0) found.push('rows that are not evaluated')
        if (pending !== undefined) found.push(`events that are not delivered: ${JSON.stringify(pending)}`)
        for (const { id, address } of made) {
          const sum = devnode.expected.transfers([address]).reduce((total, { amount }) => total + amount, 0n)
          const [row] = await sql(
            `select r.status, e.state ->> 'received' as received, e.state ->> 'status' as last
              from ${schema}.payment_request as r left join ${schema}.payment_event as e
                on e.network = r.network and e.request_id = r.id and e.version = r.version
              where r.id = $1`,
            [id],
          )
          if ((row?.received ?? '0') !== String(sum))
            found.push(`${id} has ${String(row?.received)}, ${sum} on the chain`)
          const expected = sum >= 2n * KAS ? ['confirmed'] : sum > 0n ? ['partly-paid'] : ['waiting', 'expired']
          if (!expected.includes(String(row?.last ?? row?.status))) found.push(`${id} is ${String(row?.last)}`)
        }
        return found
      }
      await expect.poll(faults).toEqual([])

      for (const { id } of made) {
        const events = await sql(
          `select version::int as version, type from ${schema}.payment_event where request_id = $1 order by sequence`,
          [id],
        )
        expect(events.map(({ version }) => version)).toEqual(events.map((_, at) => at + 1))
        const delivered = receiver.accepted.filter((one) => one.id === id)
        expect(new Set(delivered.map(({ version }) => version))).toEqual(new Set(events.map(({ version }) => version)))
        const first = delivered.filter(({ key }, at) => delivered.findIndex((one) => one.key === key) === at)
        expect(first.map(({ type }) => type)).toEqual(events.map(({ type }) => `payment.${String(type)}`))
      }
      expect(receiver.differing).toEqual([])
      await receiver.close()
      await shop.end()
    }))
})
