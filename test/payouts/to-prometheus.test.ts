import { expect, it } from 'vitest'
import { QueueCounters, toMetrics, payoutsToPrometheus } from '../../src/payouts/metrics.js'

it('writes the metrics of a queue in the text format of Prometheus', () => {
  const counters = new QueueCounters()
  counters.submitted('relayed', 'none')
  counters.submitted('unknown', 'orphan')
  counters.submitted('unknown', 'orphan')
  counters.settled(12.5)
  counters.utxos = { free: 3, claimed: 2, unconfirmed: 1 }
  counters.signed('pay', 2_000n)
  const now = Date.now()
  const metrics = toMetrics(counters, [{ state: 'conflicting', count: 2, oldest: now + 60_000 }], true)
  expect(payoutsToPrometheus(metrics)).toBe(`# HELP payouts_state Payouts by state.
# TYPE payouts_state gauge
payouts_state{state="conflicting"} 2
# HELP payouts_oldest_seconds Age of the oldest payout of a state.
# TYPE payouts_oldest_seconds gauge
payouts_oldest_seconds{state="conflicting"} 0
# HELP payouts_submissions_total Submissions by outcome, and why they were not relayed.
# TYPE payouts_submissions_total counter
payouts_submissions_total{outcome="relayed",reason="none"} 1
payouts_submissions_total{outcome="unknown",reason="orphan"} 2
# HELP payouts_attempts_total Signed transactions by kind.
# TYPE payouts_attempts_total counter
payouts_attempts_total{kind="pay"} 1
payouts_attempts_total{kind="bump"} 0
payouts_attempts_total{kind="cancel"} 0
payouts_attempts_total{kind="again"} 0
# HELP payouts_settle_seconds Time from request to settling.
# TYPE payouts_settle_seconds histogram
payouts_settle_seconds_bucket{le="1"} 0
payouts_settle_seconds_bucket{le="2.5"} 0
payouts_settle_seconds_bucket{le="5"} 0
payouts_settle_seconds_bucket{le="10"} 0
payouts_settle_seconds_bucket{le="15"} 1
payouts_settle_seconds_bucket{le="30"} 1
payouts_settle_seconds_bucket{le="60"} 1
payouts_settle_seconds_bucket{le="120"} 1
payouts_settle_seconds_bucket{le="300"} 1
payouts_settle_seconds_bucket{le="600"} 1
payouts_settle_seconds_bucket{le="1800"} 1
payouts_settle_seconds_bucket{le="3600"} 1
payouts_settle_seconds_bucket{le="+Inf"} 1
payouts_settle_seconds_sum 12.5
payouts_settle_seconds_count 1
# HELP payouts_utxos UTXOs of the addresses.
# TYPE payouts_utxos gauge
payouts_utxos{state="free"} 3
payouts_utxos{state="claimed"} 2
payouts_utxos{state="unconfirmed"} 1
# HELP payouts_fee_sompi_total Fees of signed transactions.
# TYPE payouts_fee_sompi_total counter
payouts_fee_sompi_total 2000
# HELP payouts_unsettled_total Settled payouts that a reorg has undone.
# TYPE payouts_unsettled_total counter
payouts_unsettled_total 0
# HELP payouts_conflicting Conflicting payouts.
# TYPE payouts_conflicting gauge
payouts_conflicting 2
# HELP payouts_lease_held Whether this instance works.
# TYPE payouts_lease_held gauge
payouts_lease_held 1
`)
})
