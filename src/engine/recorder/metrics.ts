import type { CallRecord, NotificationRecord, RestRecord, ConnectionRecord, FlightRecord } from './recorder.js'

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

type Counted = Pick<
  ChainMetrics,
  'connections' | 'reconnects' | 'isConnected' | 'downtime' | 'calls' | 'notifications' | 'rest'
>

/** Counts records; they may be overwritten in the ring afterwards. */
interface Counters {
  readonly count: (record: FlightRecord) => void
  /** `now`: Unix milliseconds. */
  readonly read: (now: number) => Counted
}

/** A counter that is incremented in place: counting allocates nothing. */
type Mutable<Metrics> = { -readonly [Key in keyof Metrics]: Metrics[Key] }
interface CallCounter extends Mutable<Omit<CallMetrics, 'buckets'>> {
  readonly buckets: number[]
}

export function createCounters(): Counters {
  const calls = new Map<string, Map<string, CallCounter>>()
  const notifications = new Map<string, Mutable<NotificationMetrics>>()
  const rest = new Map<string, Mutable<RestMetrics>>()
  const uptime = createUptime()

  function count(record: FlightRecord): void {
    const { type } = record
    if (type === 'call') countCall(calls, record)
    else if (type === 'notification') countNotification(notifications, record)
    else if (type === 'rest') countRest(rest, record)
    else if (type === 'connection') uptime.count(record)
  }
  return {
    count,
    read: (now) => ({
      ...uptime.read(now),
      calls: [...calls.values()].flatMap((byOutcome) =>
        Array.from(byOutcome.values(), (counter) => ({ ...counter, buckets: cumulative(counter.buckets) })),
      ),
      notifications: Array.from(notifications.values(), (counter) => ({ ...counter })),
      rest: Array.from(rest.values(), (counter) => ({ ...counter })),
    }),
  }
}

function countCall(calls: Map<string, Map<string, CallCounter>>, { method, outcome, ms }: CallRecord): void {
  const byOutcome = at(calls, method, () => new Map<string, CallCounter>())
  const counter = at(byOutcome, outcome, () => ({
    method,
    outcome,
    count: 0,
    ms: 0,
    buckets: LATENCY_BUCKETS.map(() => 0),
  }))
  counter.count++
  counter.ms += ms
  const bucket = LATENCY_BUCKETS.findIndex((bound) => ms <= bound)
  if (bucket >= 0) counter.buckets[bucket] = (counter.buckets[bucket] ?? 0) + 1
}

function countNotification(
  counters: Map<string, Mutable<NotificationMetrics>>,
  { notification: type, bytes }: NotificationRecord,
): void {
  const counter = at(counters, type, () => ({ type, count: 0, bytes: 0 }))
  counter.count++
  counter.bytes += bytes ?? 0
}

function countRest(counters: Map<string, Mutable<RestMetrics>>, { source, outcome, status }: RestRecord): void {
  at(counters, `${source} ${outcome} ${status}`, () => ({ source, outcome, status, count: 0 })).count++
}

/** The value of a key; created if absent. */
function at<Value>(map: Map<string, Value>, key: string, create: () => Value): Value {
  const known = map.get(key)
  if (known !== undefined) return known
  const created = create()
  map.set(key, created)
  return created
}

function cumulative(buckets: readonly number[]): number[] {
  let sum = 0
  return buckets.map((count) => (sum += count))
}

/** Connections, and the time without one. An intended disconnect is no downtime. */
function createUptime() {
  let [connections, reconnects, downtime] = [0, 0, 0]
  let status: ConnectionRecord['status'] = 'disconnected'
  let downSince: number | null = null

  const elapsed = (now: number): number => (downSince === null ? 0 : Math.max(0, now - downSince))
  function count(record: ConnectionRecord): void {
    if (record.status === 'connected' && status !== 'connected') {
      connections++
      if (status === 'reconnecting') reconnects++
    }
    const isDown = record.status !== 'connected' && record.status !== 'disconnected'
    if (!isDown) {
      downtime += elapsed(record.at)
      downSince = null
    } else downSince ??= record.at
    status = record.status
  }
  return {
    count,
    read: (now: number) => ({
      connections,
      reconnects,
      isConnected: status === 'connected',
      downtime: downtime + elapsed(now),
    }),
  }
}
