import type { PGlite } from '@electric-sql/pglite'
import type { PaymentClient } from 'vue-chain/feed'
import type { PaymentWebhook } from 'vue-chain/feed/webhook'

export async function createTable(database: PGlite): Promise<void> {
  await database.exec(`create table if not exists shop_order (
    id text primary key,
    status text not null default 'waiting',
    version bigint not null default 0
  );
  create index if not exists shop_order_waiting on shop_order (id) where status = 'waiting'`)
}

/** Inserts an order in the transaction that creates its payment request. */
export async function insertOrder(client: PaymentClient, id: string): Promise<void> {
  await client.query('insert into shop_order (id) values ($1)', [id])
}

/** How many orders nothing was paid for, except those that have expired. */
export async function countWaiting(client: PaymentClient): Promise<number> {
  const { rows } = await client.query("select id from shop_order where status = 'waiting'")
  return rows.length
}

/** Webhooks may come twice, or late: a version that is not above the stored one changes nothing. */
export async function recordChange(database: PGlite, { id, version, state }: PaymentWebhook): Promise<void> {
  const sql = 'update shop_order set status = $2, version = $3 where id = $1 and version < $3'
  await database.query(sql, [id, state.status, version])
}

/** The status that the shop delivers by; undefined for an unknown order. */
export async function readStatus(database: PGlite, id: string): Promise<string | undefined> {
  const { rows } = await database.query<{ status: string }>('select status from shop_order where id = $1', [id])
  return rows[0]?.status
}
