import type { TimelineEvent } from '@vue/devtools-kit'
import type { FlightRecord } from '../../../../engine/recorder/recorder.js'

/** A record as an event of the timeline. */
export function toEvent(record: FlightRecord): TimelineEvent<object> {
  const { at, type: _, ...data } = record
  return { time: at, data, logType: severityOf(record), ...textOf(record) }
}

interface Text {
  readonly title: string
  readonly subtitle: string
}

/** Title and subtitle of a row. */
function textOf(record: FlightRecord): Text {
  switch (record.type) {
    case 'connection':
      return { title: record.status, subtitle: record.reason ?? record.endpoint ?? '' }
    case 'dial':
      return { title: 'dial', subtitle: record.endpoint }
    case 'resolver':
      return { title: 'resolver', subtitle: record.endpoint ?? record.outcome }
    case 'environment':
      return { title: record.change, subtitle: '' }
    case 'timer':
      return { title: 'late timer', subtitle: `${Math.round(record.late)} ms` }
    case 'wasm':
      return { title: `WASM ${record.status}`, subtitle: '' }
    case 'payment':
      return { title: record.phase, subtitle: record.transactionId ?? '' }
    case 'wallet':
      return { title: record.operation, subtitle: `${record.outcome}, ${Math.round(record.ms)} ms` }
    case 'rest':
      return { title: `${record.method} ${record.path}`, subtitle: restSubtitle(record) }
    case 'call':
      return { title: record.method, subtitle: `${record.outcome}, ${Math.round(record.ms)} ms` }
    case 'backfill':
      return { title: 'backfill', subtitle: `${record.blocks} blocks by ${record.method}` }
    case 'notification':
      return { title: record.notification, subtitle: String(record.count) }
    case 'utxos':
      return { title: `UTXO ${record.from}`, subtitle: `+${record.added} −${record.removed}` }
    case 'rollback':
      return { title: 'rollback', subtitle: `${record.blocks} blocks` }
    case 'gap':
      return { title: 'gap', subtitle: record.stream }
  }
}

function restSubtitle({ source, status, outcome, ms }: Extract<FlightRecord, { readonly type: 'rest' }>): string {
  if (source === 'cache') return 'from the cache'
  return `${outcome === 'ok' ? (status ?? outcome) : outcome}, ${Math.round(ms)} ms`
}

const FAILED_PHASES: readonly string[] = ['failed', 'double-spent', 'evicted', 'rejected', 'timed-out']

function severityOf(record: FlightRecord): 'default' | 'warning' | 'error' {
  if ('outcome' in record && record.outcome !== 'ok') return 'error'
  if ('status' in record && record.status === 'error') return 'error'
  if (record.type === 'payment' && FAILED_PHASES.includes(record.phase)) return 'error'
  if (record.type === 'connection' && record.reason !== null) return 'warning'
  return WARNINGS.includes(record.type) ? 'warning' : 'default'
}

const WARNINGS: readonly FlightRecord['type'][] = ['gap', 'rollback', 'timer']
