import type { AttemptKind, StateCount } from '../streams/payouts/journal.js'
import type { PayoutStateName } from '../streams/payouts/progress.js'

/** Counters since `createPayouts`, and gauges of the journal. */
export interface PayoutMetrics {
  /** Payouts by state. */
  readonly states: Readonly<Partial<Record<PayoutStateName, number>>>
  /** The age of the oldest payout of each state, in seconds. */
  readonly oldestSeconds: Readonly<Partial<Record<PayoutStateName, number>>>
  readonly submissions: Readonly<Record<'relayed' | 'unknown', number>>
  readonly attempts: Readonly<Record<AttemptKind, number>>
  /** Sompi of the transactions that this instance has signed. */
  readonly feeSompi: bigint
  /** Settled payouts that a reorg deeper than `minConfirmations` has undone: raise an alarm at 1. */
  readonly unsettled: number
  /** Whether this instance has the lease. */
  readonly isWorking: boolean
}

/** What an instance counts. */
export class QueueCounters {
  readonly submissions = { relayed: 0, unknown: 0 }
  readonly attempts: Record<AttemptKind, number> = { pay: 0, bump: 0, cancel: 0, again: 0 }
  feeSompi = 0n
  unsettled = 0

  submitted(outcome: 'relayed' | 'unknown'): void {
    this.submissions[outcome]++
  }

  signed(kind: AttemptKind, fee: bigint): void {
    this.attempts[kind]++
    this.feeSompi += fee
  }
}

export function toMetrics(
  { submissions, attempts, feeSompi, unsettled }: QueueCounters,
  counts: readonly StateCount[],
  isWorking: boolean,
): PayoutMetrics {
  const age = (oldest: number): number => Math.max(0, (Date.now() - oldest) / 1_000)
  return {
    states: Object.fromEntries(counts.map(({ state, count }) => [state, count])),
    oldestSeconds: Object.fromEntries(counts.map(({ state, oldest }) => [state, age(oldest)])),
    submissions: { ...submissions },
    attempts: { ...attempts },
    feeSompi,
    unsettled,
    isWorking,
  }
}
