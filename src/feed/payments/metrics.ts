import { quote, textOf, type Query } from '../../sql/session.js'
import type { PaymentRequestStatus } from '../../streams/requests/state.js'
import { ms, type PaymentTables } from './request-rows.js'
import { labelled, toFamily, type Sample } from '../../model/prometheus.js'

/** Counters since `createPayments`, and gauges of the database. */
export interface PaymentMetrics {
  /** Requests that are not closed, by status. */
  readonly requests: Readonly<Record<PaymentRequestStatus, number>>
  /** Events that this instance has written. */
  readonly events: number
  /**
   * Seconds since all rows were looked at while the feed was at the end of the chain, by any instance; null before.
   * Raise an alarm above 60.
   */
  readonly evaluatedSeconds: number | null
  /**
   * How much later than at once a payment in the mempool may be seen, in seconds; null where another instance looks.
   */
  readonly mempoolLagSeconds: number | null
  readonly webhooks: WebhookMetrics
}

export interface WebhookMetrics {
  /** Events that are to be delivered. */
  readonly pending: number
  /** The age of the oldest of them in seconds, 0 where there is none. Raise an alarm above 600. */
  readonly oldestSeconds: number
  /** Events that were not delivered within three days, or that the receiver has refused for ever. */
  readonly failed: number
  /** Attempts of this instance. */
  readonly attempts: Readonly<Record<'delivered' | 'retry' | 'failed', number>>
}

/** What an instance counts. */
export class PaymentCounters {
  events = 0
  readonly attempts: Record<'delivered' | 'retry' | 'failed', number> = { delivered: 0, retry: 0, failed: 0 }
  /** Since when each open request was looked up, in Unix ms; null where another instance does. */
  lookedAt: number | null = null
}

export async function readMetrics(
  query: Query,
  { schema, network }: PaymentTables,
  { events, attempts, lookedAt }: PaymentCounters,
): Promise<PaymentMetrics> {
  const s = quote(schema)
  const statuses = await query(
    `select status, count(*)::text as count from ${s}.payment_request where network = $1 and not is_closed group by status`,
    [network],
  )
  const [row] = await query(
    `select ${ms('now()')}::text as now,
        (select ${ms('followed_at')}::text from ${s}.payment_sequence where network = $1) as followed_at,
        count(*) filter (where d.failed_at is null)::text as pending, count(d.failed_at)::text as failed,
        coalesce(${ms('min(e.at) filter (where d.failed_at is null)')}, ${ms('now()')})::text as oldest
      from ${s}.webhook_delivery as d
        join ${s}.payment_event as e on e.network = d.network and e.request_id = d.request_id and e.version = d.version
      where d.network = $1 and d.delivered_at is null`,
    [network],
  )
  if (row === undefined) throw new TypeError('The database returned no row')
  const now = Number(textOf(row, 'now'))
  const seconds = (since: number): number => Math.max(0, (now - since) / 1_000)
  const counts = new Map(statuses.map((one) => [textOf(one, 'status'), Number(textOf(one, 'count'))]))
  const countOf = (status: PaymentRequestStatus): number => counts.get(status) ?? 0
  return {
    requests: {
      waiting: countOf('waiting'),
      seen: countOf('seen'),
      'partly-paid': countOf('partly-paid'),
      paid: countOf('paid'),
      confirmed: countOf('confirmed'),
      expired: countOf('expired'),
    },
    events,
    evaluatedSeconds: row.followed_at === null ? null : seconds(Number(textOf(row, 'followed_at'))),
    mempoolLagSeconds: lookedAt === null ? null : seconds(lookedAt),
    webhooks: {
      pending: Number(textOf(row, 'pending')),
      oldestSeconds: seconds(Number(textOf(row, 'oldest'))),
      failed: Number(textOf(row, 'failed')),
      attempts: { ...attempts },
    },
  }
}

/**
 * Metrics of payments in the text format of Prometheus (version 0.0.4). What is unknown is left out. Raise alarms where
 * `payments_evaluated_seconds` is above 60, `payments_webhook_oldest_seconds` above 600, and
 * `payments_webhook_failed` above 0.
 */
export function paymentsToPrometheus(metrics: PaymentMetrics): string {
  const { requests, events, evaluatedSeconds, mempoolLagSeconds, webhooks } = metrics
  const families = [
    family('requests', 'gauge', 'Requests that are not closed, by status.', labelled('status', requests)),
    family('events_total', 'counter', 'Events that this instance has written.', [['', events]]),
    family('evaluated_seconds', 'gauge', 'Seconds since all rows were evaluated.', known(evaluatedSeconds)),
    family('mempool_lag_seconds', 'gauge', 'Seconds by which payments are seen later.', known(mempoolLagSeconds)),
    family('webhook_pending', 'gauge', 'Events that are to be delivered.', [['', webhooks.pending]]),
    family('webhook_oldest_seconds', 'gauge', 'Age of the oldest of them.', [['', webhooks.oldestSeconds]]),
    family('webhook_failed', 'gauge', 'Events whose delivery has failed for ever.', [['', webhooks.failed]]),
    family('webhook_attempts_total', 'counter', 'Attempts of this instance.', labelled('outcome', webhooks.attempts)),
  ]
  return `${families.filter((text) => text !== '').join('\n')}\n`
}

const known = (value: number | null): readonly Sample[] => (value === null ? [] : [['', value]])

const family = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
  samples.length === 0 ? '' : toFamily(`payments_${name}`, type, help, samples)
