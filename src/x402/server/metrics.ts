import { labelled, toFamily } from '../../model/prometheus.js'

/** Counters since the creation of a facilitator. */
export interface X402Metrics {
  /** Payments that were handed to a node, repetitions included. */
  readonly submitted: number
  readonly settled: number
  /** Refusals by their reason. */
  readonly refused: Readonly<Record<string, number>>
  /** Served payments that a reorg took away. */
  readonly lost: number
  /** The latest settlements, at most a thousand: from the call to the success, ms. */
  readonly settleTimes: readonly number[]
}

export interface Counters {
  count(what: 'submitted' | 'lost' | `refused ${string}`): void
  settled(ms: number): void
  read(): X402Metrics
}

const MAX_TIMES = 1_000

export function createCounters(): Counters {
  const refused = new Map<string, number>()
  const times: number[] = []
  let [submitted, settled, lost] = [0, 0, 0]
  return {
    count(what) {
      if (what === 'submitted') submitted++
      else if (what === 'lost') lost++
      else {
        const reason = what.slice('refused '.length)
        refused.set(reason, (refused.get(reason) ?? 0) + 1)
      }
    },
    settled(ms) {
      settled++
      times.push(ms)
      if (times.length > MAX_TIMES) times.shift()
    },
    read: () => ({ submitted, settled, lost, refused: Object.fromEntries(refused), settleTimes: [...times] }),
  }
}

/** The counters as text for Prometheus. */
export const x402ToPrometheus = ({ submitted, settled, refused, lost }: X402Metrics): string =>
  [
    toFamily('x402_submitted_total', 'counter', 'Payments handed to a node', [['', submitted]]),
    toFamily('x402_settled_total', 'counter', 'Payments settled', [['', settled]]),
    toFamily('x402_refused_total', 'counter', 'Payments refused', labelled('reason', refused)),
    toFamily('x402_lost_total', 'counter', 'Served payments that a reorg took away', [['', lost]]),
  ].join('\n') + '\n'
