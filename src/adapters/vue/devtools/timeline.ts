import { type Subscription, auditTime, buffer, map, type Observable, type SchedulerLike } from 'rxjs'
import type { Recorder, FlightRecord } from '../../../engine/recorder/recorder.js'
import type { Platform } from '../../../platform/port.js'
import type { DevtoolsApi } from './inspector.js'
import type { TimelineEvent } from '@vue/devtools-kit'

/** What the timeline is fed by. */
interface TimelineSource {
  readonly recorder: Pick<Recorder, 'records$'>
  readonly platform: Platform
}

/**
 * Adds the layers, with ids that begin with `id`, and shows what the recorder records. Ends with the returned
 * subscription.
 */
export function addTimeline(api: DevtoolsApi, id: string, { recorder, platform }: TimelineSource): Subscription {
  const toLayerId = (layer: Layer): string => `${id}:${layer}`
  for (const [layer, { label, color }] of Object.entries(LAYERS))
    api.addTimelineLayer({ id: toLayerId(layer as Layer), label, color }) // the keys are the layers

  const show = ({ shown, omitted }: Batch): void => {
    for (const record of shown) api.addTimelineEvent({ layerId: toLayerId(layerOf(record)), event: toEvent(record) })
    const counts = Object.values(omitted)
    if (counts.length === 0) return
    const title = `${counts.reduce((sum, count) => sum + count, 0)} events are left out`
    const event = { time: platform.now(), title, data: omitted, logType: 'warning' as const }
    api.addTimelineEvent({ layerId: toLayerId('connection'), event })
  }
  return batches$(recorder.records$, platform.scheduler).subscribe(show)
}

type Layer = keyof typeof LAYERS

/** The layers of the timeline, the most important first: where too much happens at once, it is shown last. */
const LAYERS = {
  connection: { label: 'vue-chain: connection', color: 0x2e7d32 },
  payments: { label: 'vue-chain: payments', color: 0x8e24aa },
  rest: { label: 'vue-chain: REST', color: 0xef6c00 },
  calls: { label: 'vue-chain: calls', color: 0x1565c0 },
  notifications: { label: 'vue-chain: notifications', color: 0x00838f },
} as const

const LAYER_OF = {
  connection: 'connection',
  dial: 'connection',
  resolver: 'connection',
  environment: 'connection',
  timer: 'connection',
  wasm: 'connection',
  payment: 'payments',
  wallet: 'payments',
  rest: 'rest',
  call: 'calls',
  backfill: 'calls',
  notification: 'notifications',
  utxos: 'notifications',
  rollback: 'notifications',
  gap: 'notifications',
} as const satisfies Record<FlightRecord['type'], Layer>

const layerOf = ({ type }: Pick<FlightRecord, 'type'>): Layer => LAYER_OF[type]

/** Ms between two batches. */
const BATCH_TIME = 1_000

/** Events of a batch, the one included that counts what was left out. */
export const MAX_EVENTS = 100

interface Batch {
  /** In the order of their occurrence. */
  readonly shown: readonly FlightRecord[]
  /** How many others there were, by layer. */
  readonly omitted: Readonly<Partial<Record<Layer, number>>>
}

/** The records in batches. Starts no timer while there are none. */
export const batches$ = (records$: Observable<FlightRecord>, scheduler: SchedulerLike): Observable<Batch> =>
  records$.pipe(buffer(records$.pipe(auditTime(BATCH_TIME, scheduler))), map(toBatch))

/** Leaves out the newest records of the least important layers where there are too many. */
export function toBatch(records: readonly FlightRecord[]): Batch {
  if (records.length <= MAX_EVENTS) return { shown: records, omitted: {} }
  const kept = new Set(
    Object.keys(LAYERS)
      .flatMap((layer) => records.filter((record) => layerOf(record) === layer))
      .slice(0, MAX_EVENTS - 1),
  )
  const left = records.filter((record) => !kept.has(record))
  const omitted: Partial<Record<Layer, number>> = {}
  for (const layer of left.map(layerOf)) omitted[layer] = (omitted[layer] ?? 0) + 1
  return { shown: records.filter((record) => kept.has(record)), omitted }
}

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
