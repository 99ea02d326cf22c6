import type { CallRecord, NotificationRecord, RestRecord } from './records.js'

/** Counters since the engine was created, and gauges of now, as a plain object. */
export interface ChainMetrics {
  /** Established connections, the first one included. */
  readonly connections: number
  /** Connections established after one was dropped. */
  readonly reconnects: number
  readonly isConnected: boolean
  /** Tabs that share the connection; null with one of this tab's own. */
  readonly connectionTabs: number | null
  /** Milliseconds without a connection while one was requested. */
  readonly downtime: number
  /** Milliseconds since the node's DAA score last changed; null before the first handshake. */
  readonly lag: number | null
  /** By method and outcome. */
  readonly calls: readonly CallMetrics[]
  readonly notifications: readonly NotificationMetrics[]
  readonly rest: readonly RestMetrics[]
  readonly trackedAddresses: number
  readonly trackedUtxos: number
  /** Requests without a response yet. */
  readonly pendingCalls: number
  /** Bytes that wait in the socket to be sent. */
  readonly bufferedBytes: number
}

export interface CallMetrics extends Pick<CallRecord, 'method' | 'outcome'> {
  readonly count: number
  /** The sum of their durations, milliseconds. */
  readonly ms: number
  /** How many took at most `LATENCY_BUCKETS[index]` milliseconds; cumulative. */
  readonly buckets: readonly number[]
}

export interface NotificationMetrics {
  readonly type: NotificationRecord['notification']
  readonly count: number
  readonly bytes: number
}

export interface RestMetrics extends Pick<RestRecord, 'source' | 'outcome' | 'status'> {
  readonly count: number
}

/** Upper bounds of the latency buckets, milliseconds. */
export const LATENCY_BUCKETS: readonly number[] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 60_000]
