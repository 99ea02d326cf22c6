import type { PayoutMetrics } from './metrics.js'

type Sample = readonly [labels: string, value: number | bigint]

/**
 * Metrics of a queue in the text format of Prometheus (version 0.0.4). Raise alarms where `payouts_unsettled_total` or
 * `payouts_conflicting` is above 0, and where the oldest relayed payout grows old.
 */
export function payoutsToPrometheus(metrics: PayoutMetrics): string {
  const { states, oldestSeconds, submissions, attempts, feeSompi, unsettled, isWorking } = metrics
  const families = [
    family('state', 'gauge', 'Payouts by state.', labelled('state', states)),
    family('oldest_seconds', 'gauge', 'Age of the oldest payout of a state.', labelled('state', oldestSeconds)),
    family('submissions_total', 'counter', 'Submissions by outcome.', labelled('outcome', submissions)),
    family('attempts_total', 'counter', 'Signed transactions by kind.', labelled('kind', attempts)),
    family('fee_sompi_total', 'counter', 'Fees of signed transactions.', [['', feeSompi]]),
    family('unsettled_total', 'counter', 'Settled payouts that a reorg has undone.', [['', unsettled]]),
    family('conflicting', 'gauge', 'Conflicting payouts.', [['', states.conflicting ?? 0]]),
    family('lease_held', 'gauge', 'Whether this instance works.', [['', Number(isWorking)]]),
  ]
  return `${families.join('\n')}\n`
}

const family = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
  [
    `# HELP payouts_${name} ${help}`,
    `# TYPE payouts_${name} ${type}`,
    ...samples.map(([labels, value]) => `payouts_${name}${labels} ${value}`),
  ].join('\n')

const labelled = (label: string, values: Readonly<Record<string, number>>): readonly Sample[] =>
  Object.entries(values).map(([name, value]) => [`{${label}="${name}"}`, value])
