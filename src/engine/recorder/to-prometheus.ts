import { toFamily } from '../../model/prometheus.js'
import { LATENCY_BUCKETS, type CallMetrics, type ChainMetrics } from './metrics.js'

type Labels = Readonly<Record<string, string | number | null>>
type Sample = readonly [labels: Labels, value: number, suffix?: string]

/**
 * Metrics in the text format of Prometheus (version 0.0.4), times in seconds. `labels` are added to every sample, such
 * as the name of a service with several engines.
 * @example
 * response.setHeader('content-type', 'text/plain; version=0.0.4').end(toPrometheus(engine.metrics()))
 */
export function toPrometheus(metrics: ChainMetrics, labels: Readonly<Record<string, string>> = {}): string {
  const family = (name: string, type: string, help: string, samples: readonly Sample[]): string =>
    toFamily(
      `vue_chain_${name}`,
      type,
      help,
      samples.map(([own, value, suffix = '']) => [`${suffix}${toLabels({ ...labels, ...own })}`, value]),
    )
  const counter = (name: string, help: string, ...samples: readonly Sample[]) => family(name, 'counter', help, samples)
  const gauge = (name: string, help: string, value: number) => family(name, 'gauge', help, [[{}, value]])
  const families = [
    counter('connections_total', 'Established connections.', [{}, metrics.connections]),
    counter('reconnects_total', 'Connections established after one was dropped.', [{}, metrics.reconnects]),
    gauge('connected', 'Whether there is a connection.', Number(metrics.isConnected)),
    ...(metrics.connectionTabs === null
      ? []
      : [gauge('connection_tabs', 'Tabs that share the connection.', metrics.connectionTabs)]),
    counter('downtime_seconds_total', 'Time without a requested connection.', [{}, metrics.downtime / 1_000]),
    ...(metrics.lag === null
      ? []
      : [gauge('lag_seconds', 'Time since the DAA score last changed.', metrics.lag / 1_000)]),
    family('call_duration_seconds', 'histogram', 'Calls by method and outcome.', metrics.calls.flatMap(toHistogram)),
    counter('notifications_total', 'Notifications.', ...byType(metrics, 'count')),
    counter('notification_bytes_total', 'Bytes of notifications.', ...byType(metrics, 'bytes')),
    counter('rest_requests_total', 'Requests to the indexer.', ...metrics.rest.map(toRestSample)),
    gauge('tracked_addresses', 'Tracked addresses.', metrics.trackedAddresses),
    gauge('tracked_utxos', 'UTXO entries of the tracked addresses.', metrics.trackedUtxos),
    gauge('pending_calls', 'Requests without a response yet.', metrics.pendingCalls),
    gauge('buffered_bytes', 'Bytes that wait in the socket.', metrics.bufferedBytes),
  ]
  return `${families.join('\n')}\n`
}

function toHistogram({ method, outcome, count, ms, buckets }: CallMetrics): Sample[] {
  const labels = { method, outcome }
  return [
    ...buckets.map((value, index): Sample => [
      { ...labels, le: (LATENCY_BUCKETS[index] ?? 0) / 1_000 },
      value,
      '_bucket',
    ]),
    [{ ...labels, le: '+Inf' }, count, '_bucket'],
    [labels, ms / 1_000, '_sum'],
    [labels, count, '_count'],
  ]
}

const byType = ({ notifications }: ChainMetrics, field: 'count' | 'bytes'): Sample[] =>
  notifications.map((counter) => [{ type: counter.type }, counter[field]])

const toRestSample = ({ source, outcome, status, count }: ChainMetrics['rest'][number]): Sample => [
  { source, outcome, status: status ?? '' },
  count,
]

function toLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${escape(String(value))}"`)
  return pairs.length === 0 ? '' : `{${pairs.join(',')}}`
}

const escape = (text: string): string => text.replace(/["\\\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))
