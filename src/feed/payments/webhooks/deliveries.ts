import { quote } from '../../../sql/quote.js'
import { textOf, type Query } from '../../../sql/session.js'
import type { PaymentEventType, PaymentMetadata } from '../payment.js'
import { ms, type PaymentTables } from '../request-rows.js'
import type { PaymentStateJson } from '../state-json.js'
import type { WebhookContent } from '../../webhook/webhook-body.js'

/** An event that is to be delivered, which this instance attempts. */
export interface Delivery {
  readonly content: WebhookContent
  /** Attempts, this one included. */
  readonly attempts: number
}

/** Deliveries of one statement, which are attempted at the same time. */
const CLAIMED = 8

/** How long, in s, other instances leave a claimed delivery: longer than an attempt takes. */
const CLAIM = 30

/**
 * Claims deliveries that are due: of a request the oldest event that was neither delivered nor failed, so that events
 * arrive in order. An instance that ends meanwhile leaves them to others.
 */
export async function claimDeliveries(query: Query, { schema, network }: PaymentTables): Promise<readonly Delivery[]> {
  const s = quote(schema)
  const rows = await query(
    `with due as (
        select d.request_id, d.version from ${s}.webhook_delivery as d
        where d.network = $1 and d.delivered_at is null and d.failed_at is null and d.next_at <= now()
          and not exists (select from ${s}.webhook_delivery as o where o.network = d.network and o.request_id = d.request_id
            and o.version < d.version and o.delivered_at is null and o.failed_at is null)
        order by d.next_at limit ${CLAIMED} for update skip locked
      ), claimed as (
        update ${s}.webhook_delivery as d set attempts = d.attempts + 1, next_at = now() + interval '${CLAIM} seconds'
        from due where d.network = $1 and d.request_id = due.request_id and d.version = due.version
        returning d.request_id, d.version, d.attempts
      )
      select c.request_id as id, c.version::text as version, c.attempts::text as attempts, e.type, e.state::text as state,
        ${ms('e.at')}::text as at, r.address, r.amount::text as amount, r.metadata::text as metadata
      from claimed as c
        join ${s}.payment_event as e on e.network = $1 and e.request_id = c.request_id and e.version = c.version
        join ${s}.payment_request as r on r.network = $1 and r.id = c.request_id`,
    [network],
  )
  return rows.map((row) => ({
    attempts: Number(textOf(row, 'attempts')),
    content: {
      type: `payment.${textOf(row, 'type') as PaymentEventType}`, // written by `writeEvaluations`
      at: Number(textOf(row, 'at')),
      id: textOf(row, 'id'),
      version: Number(textOf(row, 'version')),
      network,
      address: textOf(row, 'address'),
      amount: BigInt(textOf(row, 'amount')),
      metadata: row.metadata === null ? null : (JSON.parse(textOf(row, 'metadata')) as PaymentMetadata),
      state: JSON.parse(textOf(row, 'state')) as PaymentStateJson, // written by `toStateJson`
    },
  }))
}

/** How an attempt has ended. */
export type Outcome =
  | { readonly type: 'delivered' }
  | { readonly type: 'retry'; readonly at: number; readonly error: string }
  | { readonly type: 'failed'; readonly error: string }

/**
 * Stores the end of an attempt. What was delivered stays so: where an attempt outlasted its claim, the event is that of
 * the instance that claimed it last, and only a delivery counts.
 */
export async function settleDelivery(
  query: Query,
  { schema, network }: PaymentTables,
  { content: { id, version }, attempts }: Delivery,
  outcome: Outcome,
): Promise<void> {
  await query(
    `update ${quote(schema)}.webhook_delivery set
        delivered_at = case when $4 = 'delivered' then now() end,
        failed_at = case when $4 = 'failed' then now() end,
        next_at = coalesce(to_timestamp($5::text::bigint / 1000.0), next_at),
        last_error = $6
      where network = $1 and request_id = $2 and version = $3::text::bigint and delivered_at is null
        and ($4 = 'delivered' or (failed_at is null and attempts = $7::text::bigint))`,
    [
      ...[network, id, String(version), outcome.type],
      ...[outcome.type === 'retry' ? String(outcome.at) : null, outcome.type === 'delivered' ? null : outcome.error],
      String(attempts),
    ],
  )
}
