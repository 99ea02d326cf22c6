import type { RejectReason } from '../errors/rpc-error.js'
import type { AttemptKind, StateCount } from '../streams/payouts/journal.js'
import type { PayoutStateName } from '../streams/payouts/progress.js'
import { labelled, toFamily, type Sample } from '../model/prometheus.js'

/**
 * Why a submission was not relayed: as the node's words say, `no-reply` where the reply was lost, `invalid` where every
 * node would refuse it, `unverified` where the stored record is not what was signed: nothing was sent. `none` of a
 * relayed one.
 */
export type SubmissionReason = RejectReason | 'no-reply' | 'invalid' | 'unverified' | 'none'

export interface SubmissionCount {
  readonly outcome: 'relayed' | 'unknown'
  readonly reason: SubmissionReason
  readonly count: number
}

/** UTXOs of the addresses: not claimed, claimed by payments, and not yet `minConfirmations` deep. */
export interface UtxoCounts {
  readonly free: number
  readonly claimed: number
  readonly unconfirmed: number
}

/** The seconds from request to settling, in cumulative buckets. */
export interface SettleTimes {
  /** How many took at most so many seconds. */
  readonly buckets: readonly { readonly seconds: number; readonly count: number }[]
  readonly sum: number
  readonly count: number
}

/** Counters since `createPayouts`, and gauges of the journal. */
export interface PayoutMetrics {
  /** Payouts by state. */
  readonly states: Readonly<Partial<Record<PayoutStateName, number>>>
  /** The age of the oldest payout of each state, in seconds. */
  readonly oldestSeconds: Readonly<Partial<Record<PayoutStateName, number>>>
  readonly submissions: readonly SubmissionCount[]
  readonly attempts: Readonly<Record<AttemptKind, number>>
  /** Sompi of the transactions that this instance has signed. */
  readonly feeSompi: bigint
  /** Settled payouts that a reorg deeper than `minConfirmations` has undone: raise an alarm at 1. */
  readonly unsettled: number
  /** Of payouts that this instance has settled. */
  readonly settleTimes: SettleTimes
  /** When this instance looked last for UTXOs to spend; null before. */
  readonly utxos: UtxoCounts | null
  /** Whether this instance has the lease. */
  readonly isWorking: boolean
}

/** Upper limits of the buckets of settle times, in seconds. */
const BUCKETS = [1, 2.5, 5, 10, 15, 30, 60, 120, 300, 600, 1_800, 3_600] as const

/** What an instance counts. */
export class QueueCounters {
  readonly #submissions = new Map<string, SubmissionCount>()
  readonly #settled: number[] = BUCKETS.map(() => 0)
  #settledSum = 0
  #settledCount = 0
  utxos: UtxoCounts | null = null
  readonly attempts: Record<AttemptKind, number> = { pay: 0, bump: 0, cancel: 0, again: 0 }
  feeSompi = 0n
  unsettled = 0

  get submissions(): readonly SubmissionCount[] {
    return [...this.#submissions.values()]
  }

  get settleTimes(): SettleTimes {
    const buckets = BUCKETS.map((seconds, at) => ({ seconds, count: this.#settled[at] ?? 0 }))
    return { buckets, sum: this.#settledSum, count: this.#settledCount }
  }

  submitted(outcome: SubmissionCount['outcome'], reason: SubmissionReason): void {
    const key = `${outcome} ${reason}`
    this.#submissions.set(key, { outcome, reason, count: (this.#submissions.get(key)?.count ?? 0) + 1 })
  }

  settled(seconds: number): void {
    BUCKETS.forEach((limit, at) => {
      if (seconds <= limit) this.#settled[at] = (this.#settled[at] ?? 0) + 1
    })
    this.#settledSum += seconds
    this.#settledCount++
  }

  signed(kind: AttemptKind, fee: bigint): void {
    this.attempts[kind]++
    this.feeSompi += fee
  }
}

export function toMetrics(
  { submissions, attempts, feeSompi, unsettled, settleTimes, utxos }: QueueCounters,
  counts: readonly StateCount[],
  isWorking: boolean,
): PayoutMetrics {
  const age = (oldest: number): number => Math.max(0, (Date.now() - oldest) / 1_000)
  return {
    states: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
    oldestSeconds: Object.fromEntries(counts.map(({ state, oldest }) => [state, age(oldest)])),
    submissions,
    attempts: { ...attempts },
    feeSompi,
    unsettled,
    settleTimes,
    utxos,
    isWorking,
  }
}

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
