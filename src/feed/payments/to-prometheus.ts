import { labelled, toFamily, type Sample } from '../../model/prometheus.js'
import type { PaymentMetrics } from './metrics.js'

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
