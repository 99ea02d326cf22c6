import { onAbort } from '../../../loading/abortable.js'
import { type SqlSession, textOf, type Query, quote } from '../../../sql/session.js'
import { sign, toBody, type WebhookContent } from '../../webhook/webhook.js'
import type { PaymentCounters } from '../metrics.js'
import { type PaymentTables, ms } from '../request-rows.js'
import { type CheckedWebhook, post, type Post } from './post.js'
import type { PaymentEventType, PaymentMetadata, PaymentStateJson } from '../payment.js'

interface DeliveryContext {
  readonly session: Pick<SqlSession, 'run'>
  readonly tables: PaymentTables
  readonly webhook: CheckedWebhook
  readonly counters: Pick<PaymentCounters, 'attempts'>
  readonly signal: AbortSignal
  readonly resolve?: Post['resolve']
}

/** How long the receiver may take, in ms. */
const TIMEOUT = 10_000

/** Delivers what is due, until nothing is; resolves to the number of attempts. */
export async function deliverDue(context: DeliveryContext): Promise<number> {
  const { session, tables, signal } = context
  let count = 0
  while (!signal.aborted) {
    const claimed = await session.run((query) => claimDeliveries(query, tables))
    if (claimed.length === 0) return count
    await attemptAll(context, claimed)
    count += claimed.length
  }
  return count
}

/** With a signal of their own: Node warns of more than ten subscriptions to one. */
async function attemptAll(context: DeliveryContext, claimed: readonly Delivery[]): Promise<void> {
  const end = new AbortController()
  const release = onAbort(context.signal, (reason) => end.abort(reason))
  try {
    await Promise.all(claimed.map((delivery) => attempt({ ...context, signal: end.signal }, delivery)))
  } finally {
    release()
  }
}

async function attempt(context: DeliveryContext, delivery: Delivery): Promise<void> {
  const { content, attempts } = delivery
  const outcome = await reply(context, content).then(
    (status) => toOutcome(status, attempts, content.at),
    (error: unknown) => retry(errorText(error), attempts, content.at),
  )
  if (context.signal.aborted && outcome.type !== 'delivered') return // the claim expires
  context.counters.attempts[outcome.type]++
  await context.session.run((query) => settleDelivery(query, context.tables, delivery, outcome))
}

async function reply({ webhook, signal, resolve }: DeliveryContext, content: Delivery['content']): Promise<number> {
  const body = toBody(content)
  const id = `${encodeURIComponent(content.id)}/${content.version}` // as a header can have it
  const timestamp = Math.floor(Date.now() / 1_000)
  const signatures = await Promise.all(webhook.keys.map((key) => sign({ id, timestamp, body }, key)))
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'vue-chain',
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signatures.join(' '),
  }
  const { url, allowPrivate } = webhook
  return post({ url, headers, body, allowPrivate, timeout: TIMEOUT, signal, resolve })
}

/** 2xx ends it, 410 too: the receiver wants no more of it. */
function toOutcome(status: number, attempts: number, at: number): Outcome {
  if (status >= 200 && status < 300) return { type: 'delivered' }
  const error = `The receiver replied with status ${status}`
  return status === 410 ? { type: 'failed', error } : retry(error, attempts, at)
}

function retry(error: string, attempts: number, eventAt: number): Outcome {
  const at = nextAttemptAt(attempts, eventAt, Date.now())
  return at === null ? { type: 'failed', error } : { type: 'retry', at, error }
}

/** Of a timeout, a socket or a name that has no address. */
const errorText = (error: unknown): string => (error instanceof Error ? error.message : String(error)).slice(0, 500)

/** An event that is to be delivered, which this instance attempts. */
interface Delivery {
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
type Outcome =
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

const [SECOND, MINUTE, HOUR] = [1_000, 60_000, 3_600_000]

/** The ms between an attempt and the next one; after the last one its value again. */
const DELAYS = [5 * SECOND, MINUTE, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 6 * HOUR] as const

/** How long, in ms, a delivery is attempted after its event. */
const LIMIT = 72 * HOUR

/**
 * When the next attempt is due after `attempts` of them, in Unix ms; null where the event is so old that there is none.
 */
export function nextAttemptAt(attempts: number, eventAt: number, now: number): number | null {
  const delay = DELAYS[Math.min(attempts, DELAYS.length) - 1] ?? DELAYS[0]
  return now + delay - eventAt > LIMIT ? null : now + delay
}
