import { labelled, toFamily, type Sample } from '../model/prometheus.js'
import type { PayoutMetrics, SettleTimes } from './metrics.js'

/**
 * Metrics of a queue in the text format of Prometheus (version 0.0.4). Raise alarms where `payouts_unsettled_total` or
 * `payouts_conflicting` is above 0, and where the oldest relayed payout grows old.
 */
export function payoutsToPrometheus(metrics: PayoutMetrics): string {
  const { states, oldestSeconds, submissions, attempts, feeSompi, unsettled, settleTimes, utxos, isWorking } = metrics
  const families = [
    family('state', 'gauge', 'Payouts by state.', labelled('state', states)),
    family('oldest_seconds', 'gauge', 'Age of the oldest payout of a state.', labelled('state', oldestSeconds)),
    family(
      'submissions_total',
      'counter',
      'Submissions by outcome, and why they were not relayed.',
      submissions.map(({ outcome, reason, count }) => [`{outcome="${outcome}",reason="${reason}"}`, count]),
    ),
    family('attempts_total', 'counter', 'Signed transactions by kind.', labelled('kind', attempts)),
    family('settle_seconds', 'histogram', 'Time from request to settling.', histogram(settleTimes)),
    family('utxos', 'gauge', 'UTXOs of the addresses.', utxos === null ? [] : labelled('state', { ...utxos })),
    family('fee_sompi_total', 'counter', 'Fees of signed transactions.', [['', feeSompi]]),
    family('unsettled_total', 'counter', 'Settled payouts that a reorg has undone.', [['', unsettled]]),
    family('conflicting', 'gauge', 'Conflicting payouts.', [['', states.conflicting ?? 0]]),
    family('lease_held', 'gauge', 'Whether this instance works.', [['', Number(isWorking)]]),
  ]
  return `${families.join('\n')}\n`
}

const family = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
  toFamily(`payouts_${name}`, type, help, samples)

const histogram = ({ buckets, sum, count }: SettleTimes): readonly Sample[] => [
  ...buckets.map(({ seconds, count: each }): Sample => [`_bucket{le="${seconds}"}`, each]),
  ['_bucket{le="+Inf"}', count],
  ['_sum', sum],
  ['_count', count],
]
